-- A site's address is an API resource, so it needs an id.
alter table site_domains add column id uuid not null default gen_random_uuid() unique;
