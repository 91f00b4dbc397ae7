-- What a council puts behind the pins of a map: cycle routes, flood zones, bus stops.
create table map_layers (
  site_id uuid not null references sites (id),
  id uuid not null,
  activity_id uuid not null,
  number integer not null,                             -- in its address
  position integer not null default 0,
  name jsonb not null,
  pattern text not null,
  visible boolean not null default true,
  bytes bigint not null,                               -- of the file that was uploaded
  converted_from text,                                 -- the grid of its coordinates, if they were not degrees
  features integer not null,
  box double precision[] not null,                     -- west, south, east, north
  shapes jsonb not null,                               -- one for each feature, simplified
  is_simplified boolean not null,
  columns text[] not null,
  rows jsonb not null,                                 -- one for each feature: a text for each column
  lock_version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, activity_id, number),
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade
);

-- Visible layers: a map without any asks for none.
alter table activities add column layers integer not null default 0;
