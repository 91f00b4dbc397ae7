-- Originals of removed passages are deleted some time after the last passage was removed.
alter table masked_originals add column masked_at timestamptz not null default now();
create index masked_originals_age on masked_originals (site_id, masked_at);
alter table moderation_settings add column originals_kept_months integer not null default 12 check (originals_kept_months between 2 and 60);
