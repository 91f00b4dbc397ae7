-- Languages that a site writes its content in, besides those of the interface.
alter table sites add column added_languages text[] not null default '{}' check (cardinality(added_languages) <= 20);
call content_of('sites', ignored => '{content_version,hosts}');
-- As before: nothing was kept of a new site, and nothing may refer to one that is gone.
drop trigger content_added on sites;
drop trigger content_deleted on sites;
