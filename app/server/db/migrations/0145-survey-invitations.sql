-- Surveys for the people of a group, and for whoever holds a code or a personal link.
alter table surveys add column group_id uuid;
alter table surveys add foreign key (site_id, group_id) references people_groups (site_id, id) on delete set null (group_id);
-- It was open before its opening was put off: what people were promised then stays promised.
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

-- One code or link each, as a hash. That it was used is a row of `survey_participations` with the same hash: without a time and without
-- the response, so that an invitation leads to nobody's answers.
create table survey_invitations (
  site_id uuid not null,
  survey_id uuid not null,
  secret_hash bytea not null,
  batch_id uuid not null,
  recipient_hash bytea,                             -- keyed, of the address a link was sent to
  primary key (site_id, survey_id, secret_hash),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade,
  foreign key (site_id, batch_id) references survey_invitation_batches (site_id, id) on delete cascade
);
create index survey_invitations_batch on survey_invitations (site_id, batch_id);
create index survey_invitations_recipient on survey_invitations (site_id, survey_id, recipient_hash) where recipient_hash is not null;
