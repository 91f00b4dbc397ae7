-- How many responses of each kind a survey has, where it takes only so many: counted in the transaction that stores the response, so
-- that two who come at once cannot both have the last place. What a response was counted in
-- follows from its answers and its version: one that is withdrawn gives its place back.
create table survey_quotas (
  site_id uuid not null,
  survey_id uuid not null,
  quota_id text not null,
  taken integer not null default 0,
  primary key (site_id, survey_id, quota_id),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);
