-- An address of a site is a resource of its own, with an id that outlives nothing but itself.
alter table site_domains add column id uuid not null default gen_random_uuid() unique;
