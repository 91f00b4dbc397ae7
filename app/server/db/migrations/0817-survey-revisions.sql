-- What was saved of each survey's questions. Columns as in project_revisions.
create table survey_revisions (
  site_id uuid not null references sites (id),
  id uuid not null,
  survey_id uuid check (survey_id is not null),   -- queries share it with the place of other versions, which may be null
  parent_id uuid,
  content jsonb not null,                         -- the questions without long lists, or the number of the published version that has them
  note text not null default '',
  created_by uuid,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  published_by uuid,
  announced_at timestamptz,
  waived jsonb not null default '[]',
  primary key (site_id, id),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);
create index survey_revisions_newest on survey_revisions (site_id, survey_id, created_at desc);

-- Long lists of options, each stored once for all revisions that have it.
create table survey_revision_lists (
  site_id uuid not null,
  survey_id uuid not null,
  hash text not null,
  options jsonb not null,
  primary key (site_id, survey_id, hash),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);

-- The revision that says what the draft says; null until the survey is saved again.
alter table surveys add column draft_revision_id uuid;

-- Versions published before there was a history.
alter table surveys no force row level security;
alter table survey_versions no force row level security;
insert into survey_revisions (site_id, id, survey_id, content, created_by, created_at, published_at, published_by, announced_at)
  select site_id, gen_random_uuid(), survey_id, jsonb_build_object('version', number), published_by, published_at, published_at, published_by,
    published_at
  from survey_versions;
update surveys set draft_revision_id = r.id
  from survey_revisions r join survey_versions v
    on v.site_id = r.site_id and v.survey_id = r.survey_id and v.number = (r.content ->> 'version')::integer
  where r.site_id = surveys.site_id and r.survey_id = surveys.id and v.number = surveys.published_version and v.definition = surveys.definition;
alter table surveys force row level security;
alter table survey_versions force row level security;
