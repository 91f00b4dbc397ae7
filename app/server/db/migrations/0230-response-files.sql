-- Files that were given to questions of surveys. They lie in storage under the site and their id. One belongs to the sending it was given
-- with, and with it to the draft and the response of that id; what neither names any more is swept. It outlives its survey until then,
-- so that nothing stays in storage that no row knows.
create table response_files (
  site_id uuid not null references sites (id),
  id uuid not null,
  survey_id uuid not null,
  question text not null,
  held_by uuid not null,                               -- the sending, draft or response
  key_hash bytea not null,                             -- of the key that only its sender knows
  name text not null,                                  -- made safe; of an anonymous survey a number
  media_type text not null,                            -- by its content
  bytes bigint not null,
  touched_at timestamptz not null,
  primary key (site_id, id)
);
create index response_files_held on response_files (site_id, held_by);
create index response_files_old on response_files (site_id, touched_at);
