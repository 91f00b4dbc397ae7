-- Changes of a provider that wait until a second site administrator agrees. A newer one replaces the one before.
create table identity_provider_changes (
  site_id uuid not null,
  provider_id uuid not null,
  id uuid not null,
  asked_by uuid not null,
  asked_at timestamptz not null,
  settings jsonb not null,                        -- what changes, without the secret
  sealed_secret text,
  primary key (site_id, provider_id),
  constraint identity_provider_changes_id unique (site_id, id),
  foreign key (site_id, provider_id) references identity_providers (site_id, id) on delete cascade,
  foreign key (site_id, asked_by) references users (site_id, id) on delete cascade
);
create index identity_provider_changes_asked_by on identity_provider_changes (site_id, asked_by);
