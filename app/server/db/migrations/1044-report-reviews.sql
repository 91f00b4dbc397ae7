-- Where a site wants it, a second person agrees to the report of a project before it is published, as to official answers.
alter table moderation_settings add column reports_need_agreement boolean not null default false;
call content_of('moderation_settings', ignored => '{lock_version}');
