-- The map of a site's streets: a PMTiles file in the storage, one for each site.
create table map_files (
  site_id uuid not null references sites (id),
  id uuid not null,                               -- in the file's key, which changes with each file
  hash text not null,                             -- SHA-256 of the file, in hexadecimal
  bytes bigint not null,
  name text not null,                             -- of the file or the address that it came from
  credit text not null,                           -- who made it, shown on every map
  box double precision[] not null,                -- west, south, east, north
  min_zoom integer not null,
  max_zoom integer not null,
  tiles integer not null,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id)
);
call content_of('map_files');
