-- Pictures uploaded by a site's administrators. Files are stored under the site, the asset and its version; a new version is the same asset
-- with different content.
create table media_assets (
  site_id uuid not null references sites (id),
  id uuid not null,
  version integer not null default 1,
  name text not null,                                  -- the uploaded file's name
  media_type text not null,                            -- detected from the content
  bytes bigint not null,
  width integer not null,                              -- pixels
  height integer not null,
  focal_x smallint not null default 50,                -- per cent: the point to keep in view when cropping
  focal_y smallint not null default 50,
  alt jsonb not null default '{}',
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  lock_version integer not null default 1,
  primary key (site_id, id)
);
create index media_assets_recent on media_assets (site_id, created_at desc);

-- Uploads in progress: how much of each has arrived, so that it can be resumed.
create table media_uploads (
  site_id uuid not null references sites (id),
  id uuid not null,
  name text not null,
  bytes bigint not null,
  received bigint not null default 0,
  created_by uuid not null,
  created_at timestamptz not null,
  primary key (site_id, id)
);
create index media_uploads_old on media_uploads (site_id, created_at);
