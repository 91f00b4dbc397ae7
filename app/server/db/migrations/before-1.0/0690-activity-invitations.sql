-- People are invited to activities as to surveys. A hash contains the id of what it invites to, so it is unique by itself.
alter table survey_invitation_batches rename to invitation_batches;
alter table invitation_batches
  alter column survey_id drop not null,
  add column activity_id uuid,
  add constraint invitation_batches_subject check (num_nonnulls(survey_id, activity_id) = 1),
  add foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade;
create index invitation_batches_activity on invitation_batches (site_id, activity_id);

alter table survey_invitations rename to invitations;
alter table invitations
  drop constraint survey_invitations_pkey,
  add primary key (site_id, secret_hash),
  alter column survey_id drop not null,
  add column activity_id uuid,
  add constraint invitations_subject check (num_nonnulls(survey_id, activity_id) = 1),
  add foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade;
create index invitations_activity on invitations (site_id, activity_id) where activity_id is not null;
