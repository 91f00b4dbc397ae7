-- Tags that readers give to written answers: a name on one answer to one question. A tag exists as long as an answer has it.
create table answer_tags (
  site_id uuid not null,
  survey_id uuid not null,
  question text not null,
  tag text not null,
  response_id uuid not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (site_id, survey_id, question, tag, response_id),
  foreign key (site_id, response_id) references responses (site_id, id) on delete cascade
);
create index answer_tags_response on answer_tags (site_id, response_id);
