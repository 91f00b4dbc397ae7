-- Open results: which written answers somebody has read and approved, and every published version.
create table open_answers (
  site_id uuid not null,
  survey_id uuid not null,
  response_id uuid not null,
  question text not null,
  text_hash bytea not null,                                -- hash of the text as approved: a changed text is not approved
  approved_at timestamptz not null,
  primary key (site_id, response_id, question),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade,
  foreign key (site_id, response_id) references responses (site_id, id) on delete cascade
);
create index open_answers_survey on open_answers (site_id, survey_id);

create table open_result_versions (
  site_id uuid not null,
  survey_id uuid not null,
  version text not null,                                   -- as in its address
  questions_version integer not null,
  counted_at timestamptz not null,                         -- responses up to then are counted
  made_at timestamptz not null,
  responses integer not null,
  lines jsonb not null,                                    -- by language, as published
  texts jsonb not null default '[]',                       -- [{ response, question }]: approved then, shown while they still are
  primary key (site_id, survey_id, version),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);
