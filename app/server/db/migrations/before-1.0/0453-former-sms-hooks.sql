-- The addresses at which text services reached a site before they were uninstalled. Nothing but STOP is heard there.
create table former_sms_hooks (
  site_id uuid not null references sites (id) on delete cascade,
  id uuid not null,                                        -- of the installation, which the address names
  integration text not null,
  removed_at timestamptz not null,
  primary key (site_id, id)
);
