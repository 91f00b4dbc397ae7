-- Response exports generated in the background. The file itself stays in DATA_DIR until it expires.
create table survey_exports (
  site_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  created_by uuid,
  format text not null check (format in ('csv', 'xlsx', 'json', 'spss')),
  personal boolean not null default false,
  language text not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  total integer not null,                              -- responses at the time of the request
  done integer not null default 0,
  bytes bigint,
  created_at timestamptz not null,
  alive_at timestamptz,                                -- last heartbeat of its process while it runs
  finished_at timestamptz,
  expires_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);
create index survey_exports_due on survey_exports (site_id, created_at) where state in ('waiting', 'running');
