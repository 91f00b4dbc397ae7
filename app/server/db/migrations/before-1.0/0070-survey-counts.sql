-- Answer tallies, updated as responses arrive, so that results cost the same however many there are. They are derived from `responses` and
-- can be rebuilt. Question '' holds counts of whole responses; its value '' says that the survey is counted at all.
create table survey_counts (
  site_id uuid not null,
  survey_id uuid not null,
  question text not null,
  value text not null,
  count integer not null default 0,
  total double precision not null default 0,
  primary key (site_id, survey_id, question, value),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);
