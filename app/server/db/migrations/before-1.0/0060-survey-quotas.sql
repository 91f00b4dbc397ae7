-- Number of responses per quota, counted in the transaction that stores the response, so that two concurrent responses cannot both take the
-- last place. Which quotas a response counts towards follows from its answers and version: a withdrawn response gives its place back.
create table survey_quotas (
  site_id uuid not null,
  survey_id uuid not null,
  quota_id text not null,
  taken integer not null default 0,
  primary key (site_id, survey_id, quota_id),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);
