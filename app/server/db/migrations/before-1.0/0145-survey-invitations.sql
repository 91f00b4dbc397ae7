-- Surveys restricted to a group, or to people with a code or a personal link.
alter table surveys add column group_id uuid;
alter table surveys add foreign key (site_id, group_id) references people_groups (site_id, id) on delete set null (group_id);
-- The survey was already open before its opening was postponed: what people were promised then still applies.
alter table surveys add column has_opened boolean not null default false;

create table survey_invitation_batches (
  site_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  kind text not null,                               -- codes | links
  total integer not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);
create index survey_invitation_batches_survey on survey_invitation_batches (site_id, survey_id);

-- Each code or link, stored as a hash. Its use is recorded as a row of `survey_participations` with the same hash, without a time and
-- without the response, so that an invitation cannot be traced to anybody's answers.
create table survey_invitations (
  site_id uuid not null,
  survey_id uuid not null,
  secret_hash bytea not null,
  batch_id uuid not null,
  recipient_hash bytea,                             -- keyed hash of the address that a link was sent to
  primary key (site_id, survey_id, secret_hash),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade,
  foreign key (site_id, batch_id) references survey_invitation_batches (site_id, id) on delete cascade
);
create index survey_invitations_batch on survey_invitations (site_id, batch_id);
create index survey_invitations_recipient on survey_invitations (site_id, survey_id, recipient_hash) where recipient_hash is not null;
