-- Former addresses, which redirect to the current one.
create table old_addresses (
  site_id uuid not null references sites (id),
  kind text not null,                               -- projects | hubs | pages | project-updates
  slug text not null,
  target_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (site_id, kind, slug)
);
create index old_addresses_target on old_addresses (site_id, kind, target_id);
