-- Files uploaded with answers, stored under the site and their id. A file belongs to the submission it was uploaded with, and so to the
-- draft and response with that id; once neither refers to it, it is swept. Until then it outlives its survey, so that every file in storage
-- has a row.
create table response_files (
  site_id uuid not null references sites (id),
  id uuid not null,
  survey_id uuid not null,
  question text not null,
  held_by uuid not null,                               -- the submission, draft or response
  key_hash bytea not null,                             -- hash of the key that only its sender knows
  name text not null,                                  -- sanitised; a number if the survey is anonymous
  media_type text not null,                            -- detected from the content
  bytes bigint not null,
  touched_at timestamptz not null,
  primary key (site_id, id)
);
create index response_files_held on response_files (site_id, held_by);
create index response_files_old on response_files (site_id, touched_at);
