-- Who has responded to a survey that allows one response each: a keyed hash of the account or the browser, never stored beside the
-- response, so that an anonymous response cannot be traced to anybody.
create table survey_participations (
  site_id uuid not null,
  survey_id uuid not null,
  person_hash bytea not null,
  primary key (site_id, survey_id, person_hash),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);
