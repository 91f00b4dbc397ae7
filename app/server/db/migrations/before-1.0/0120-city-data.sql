-- City data: connectors with their schedule and last error, the datasets copied from them, and the copies' rows.
alter table city_connectors
  add column language text not null default 'en',
  add column sealed_token text,
  add column every_minutes integer not null default 1440,
  add column failures integer not null default 0,          -- consecutive, across all of its datasets
  add column paused_until timestamptz,                     -- no requests until then, because the portal keeps failing
  add column updated_at timestamptz not null default now(),
  add column lock_version integer not null default 1;

create table city_datasets (
  site_id uuid not null references sites (id),
  id uuid not null,
  connector_id uuid not null,
  project_id uuid,
  slug text not null,
  source_id text not null,                                 -- the portal's own id
  title jsonb not null,
  description jsonb not null default '{}',
  publisher text not null default '',
  licence text not null default '',
  licence_url text,
  source_url text,
  source_updated_at timestamptz,
  columns jsonb not null default '[]',                     -- every column of the source: type, names by language, whether shown
  row_filter jsonb,                                        -- { key, value }: only rows with this value in the column
  chart jsonb,                                             -- { form, label, values }
  published_at timestamptz,
  version integer not null default 0,                      -- of the published copy; 0: none yet
  copied_columns jsonb not null default '[]',              -- [{ key, type }]: columns of that copy
  row_count integer not null default 0,
  synchronised_at timestamptz,                             -- when that copy was made
  checked_at timestamptz,                                  -- when the portal last confirmed that it is unchanged
  validators jsonb,                                        -- entity tag and date that came with that copy
  run jsonb,                                               -- the copy in progress: version, cursor, rows so far
  lease_until timestamptz,                                 -- a process works on it until then
  due_at timestamptz default now(),
  failures integer not null default 0,
  last_fault jsonb,                                        -- { code, at }
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  lock_version integer not null default 1,
  primary key (site_id, id),
  unique (site_id, slug),
  foreign key (site_id, connector_id) references city_connectors (site_id, id) on delete cascade,
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index city_datasets_due on city_datasets (site_id, due_at);
create index city_datasets_project on city_datasets (site_id, project_id);

-- Rows of every copy: the published one, and the next one being built beside it. Readers only see rows of a single version.
create table city_dataset_rows (
  site_id uuid not null references sites (id),
  dataset_id uuid not null,
  version integer not null,
  position integer not null,
  cells jsonb not null,                                    -- a list, in the order of copied_columns
  words text not null default '',                          -- normalised, for searching
  primary key (site_id, dataset_id, version, position),
  foreign key (site_id, dataset_id) references city_datasets (site_id, id) on delete cascade
);
