-- The team may correct an answer, which keeps its former wordings for everybody to read, or withdraw it with a reason.
alter table official_responses
  add column lock_version integer not null default 1,
  add column former jsonb not null default '[]',          -- [{text, team, at}], the oldest first: what it said until `at`
  add column edited_at timestamptz,
  add column withdrawn_at timestamptz,
  add column withdrawal_reason jsonb not null default '{}',
  add column tells text not null default 'answer',        -- what followers are told of next: answer | edit | withdrawal
  add constraint official_responses_tells check (tells in ('answer', 'edit', 'withdrawal'));
call content_of('official_responses', '{contribution_id}', '{told_until,told_at,tells,lock_version}');
