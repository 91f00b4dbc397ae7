-- Stages of a project, which may overlap and hold any number of activities.
create table project_stages (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  position integer not null default 0,
  title jsonb not null,
  summary jsonb not null default '{}',
  kind text not null default 'listen',                 -- inform | listen | decide | do
  starts_at timestamptz not null,
  ends_at timestamptz,
  lock_version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index project_stages_project on project_stages (site_id, project_id, position);

create table activities (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  stage_id uuid,
  kind text not null,                                  -- the name of a folder in features/contributions/kinds
  slug text not null,
  title jsonb not null,
  intro jsonb not null default '{}',
  status text not null default 'draft',                -- draft | published | archived
  opens_at timestamptz,
  closes_at timestamptz,
  post_access text not null default 'anyone_once',     -- as surveys.access, without invited
  react_access text not null default 'anyone_once',
  group_id uuid,
  moderation text not null default 'before',           -- before | after
  settings jsonb not null default '{}',
  position integer not null default 0,
  has_opened boolean not null default false,
  numbered integer not null default 0,                 -- contributions that were given a number
  lock_version integer not null default 1,
  search_title text not null default '',
  search_text text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, project_id, slug),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  foreign key (site_id, stage_id) references project_stages (site_id, id) on delete set null (stage_id)
);
create index activities_stage on activities (site_id, stage_id);

create table contribution_statuses (
  site_id uuid not null,
  id uuid not null,
  activity_id uuid not null,
  code text,                                           -- of those every activity starts with
  title jsonb not null,
  position integer not null default 0,
  needs_text boolean not null default false,
  primary key (site_id, id),
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade
);
create index contribution_statuses_activity on contribution_statuses (site_id, activity_id, position);

create table contributions (
  site_id uuid not null,
  id uuid not null,                                    -- made by the sender
  activity_id uuid not null,
  number integer not null,
  author_id uuid,
  shown_as text not null default 'anonymous',          -- name | first_name | resident | anonymous
  shown_name text not null default '',
  language text not null,
  title text not null,
  body text not null,
  categories text[] not null default '{}',             -- ids in the activity's settings
  place_text text not null default '',
  area_id uuid,
  source text not null default 'web',                  -- web | staff | paper | phone | email | event | text
  state text not null,                                 -- held | published | declined | removed | withdrawn | erased
  reason text not null default '',                     -- in words, for the author and for whoever follows an old link
  version integer not null default 1,
  status_id uuid,
  supports integer not null default 0,
  replies_count integer not null default 0,            -- published ones
  receipt_hash bytea not null,
  doubt text,                                          -- rate
  submitted_at timestamptz not null default now(),
  edited_at timestamptz,
  published_at timestamptz,
  decided_at timestamptz,
  decided_by uuid,
  search_title text not null default '',               -- empty unless it is published
  search_text text not null default '',
  primary key (site_id, id),
  unique (site_id, activity_id, number),
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade,
  foreign key (site_id, author_id) references users (site_id, id) on delete set null (author_id),
  foreign key (site_id, area_id) references areas (site_id, id) on delete set null (area_id),
  foreign key (site_id, status_id) references contribution_statuses (site_id, id) on delete set null (status_id)
);
create index contributions_published on contributions (site_id, activity_id, published_at desc) where state = 'published';
create index contributions_supported on contributions (site_id, activity_id, supports desc) where state = 'published';
create index contributions_held on contributions (site_id, submitted_at) where state = 'held';
create index contributions_author on contributions (site_id, author_id) where author_id is not null;
create index contributions_receipt on contributions (site_id, receipt_hash);

create table contribution_versions (
  site_id uuid not null,
  id uuid not null,
  contribution_id uuid not null,
  number integer not null,
  title text not null,
  body text not null,
  was_public boolean not null default false,           -- others never see a text that was replaced before it was published
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, contribution_id, number),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade
);

create table reactions (
  site_id uuid not null,
  id uuid not null,                                    -- made by the sender
  contribution_id uuid not null,
  person_hash bytea not null,                          -- keyed, and different in each activity
  by_account boolean not null,
  value text not null default 'support',
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, contribution_id, person_hash),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade
);
create index reactions_person on reactions (site_id, person_hash);

create table replies (
  site_id uuid not null,
  id uuid not null,                                    -- made by the sender
  contribution_id uuid not null,
  author_id uuid,
  role text not null default 'person',                 -- person | addition | official
  shown_name text not null default '',
  language text not null,
  body text not null,
  state text not null,                                 -- as of contributions
  reason text not null default '',
  receipt_hash bytea not null,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid,
  primary key (site_id, id),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, author_id) references users (site_id, id) on delete set null (author_id)
);
create index replies_contribution on replies (site_id, contribution_id, created_at);
create index replies_held on replies (site_id, created_at) where state = 'held';
create index replies_author on replies (site_id, author_id) where author_id is not null;

create table official_responses (
  site_id uuid not null,
  id uuid not null,
  contribution_id uuid not null,
  status_id uuid,
  text jsonb not null default '{}',
  team jsonb not null default '{}',
  version integer not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, contribution_id, version),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, status_id) references contribution_statuses (site_id, id) on delete set null (status_id)
);

create trigger keep_search_places after insert or delete or update of search_title, search_text on activities
  for each row execute function keep_search_places();
create trigger keep_search_places after insert or delete or update of search_title, search_text on contributions
  for each row execute function keep_search_places();
