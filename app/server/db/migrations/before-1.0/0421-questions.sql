-- Questions: who answers, by when, and whether everybody can read the answer.
alter table contributions
  add column assignee_id uuid,                         -- of the team
  add column due_at timestamptz,                       -- of a question: its last working day ends
  add column answered text,                            -- public | private; empty until a question is answered
  add constraint contributions_answered check (answered in ('public', 'private')),
  add foreign key (site_id, assignee_id) references users (site_id, id) on delete set null (assignee_id);
create index contributions_due on contributions (site_id, due_at) where due_at is not null and answered is null;
create index contributions_assignee on contributions (site_id, assignee_id) where assignee_id is not null;

alter table official_responses
  add column visibility text not null default 'public',  -- public | private: for the author only
  add constraint official_responses_visibility check (visibility in ('public', 'private'));

-- Whoever asks the same with an account is told of the answer. Emptied when they were told.
alter table reactions
  add column tell_user_id uuid,
  add foreign key (site_id, tell_user_id) references users (site_id, id) on delete set null (tell_user_id);
create index reactions_tell on reactions (site_id, tell_user_id) where tell_user_id is not null;
