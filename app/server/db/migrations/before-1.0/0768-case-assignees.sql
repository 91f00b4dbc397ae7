-- Who of the team decides a case.
alter table moderation_cases
  add column assignee_id uuid,
  add foreign key (site_id, assignee_id) references users (site_id, id) on delete set null (assignee_id);
create index moderation_cases_assignee on moderation_cases (site_id, assignee_id) where assignee_id is not null;
