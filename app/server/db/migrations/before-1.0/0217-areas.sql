-- Areas of a site, such as its wards, taken from one of its datasets. Projects are located in them, and people may say which one they live
-- in.
alter table city_datasets add column boundaries jsonb;     -- { name }: the column with each area's name
create unique index city_datasets_boundaries on city_datasets (site_id) where boundaries is not null;

create table areas (
  site_id uuid not null references sites (id),
  id uuid not null,
  dataset_id uuid not null,
  slug text not null,
  name text not null,
  rings jsonb not null,                                    -- lists of [longitude, latitude]; a point inside an odd number of them is inside
  primary key (site_id, id),
  unique (site_id, slug),
  foreign key (site_id, dataset_id) references city_datasets (site_id, id) on delete cascade
);

create table project_areas (
  site_id uuid not null,
  project_id uuid not null,
  area_id uuid not null,
  primary key (site_id, project_id, area_id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  foreign key (site_id, area_id) references areas (site_id, id) on delete cascade
);
create index project_areas_area on project_areas (site_id, area_id);

create table home_areas (
  site_id uuid not null,
  user_id uuid not null,
  area_id uuid not null,
  consented_at timestamptz not null,
  primary key (site_id, user_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, area_id) references areas (site_id, id) on delete cascade
);

alter table open_result_versions add column areas jsonb not null default '[]';  -- [{ area, name, responses }]: how many respondents live in each
