-- Who has answered a survey that each may answer once: a keyed hash of the account or the browser, never beside the response, so that
-- an anonymous answer leads to nobody.
create table survey_participations (
  site_id uuid not null,
  survey_id uuid not null,
  person_hash bytea not null,
  primary key (site_id, survey_id, person_hash),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);
