-- Sections saved for reuse: a named sequence of blocks.
create table saved_sections (
  site_id uuid not null references sites (id),
  id uuid not null,
  hub_id uuid,                                         -- the hub they belong to, or null for the site
  name text not null,
  content jsonb not null,                              -- as in homepage_revisions
  created_by uuid,
  created_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade
);
