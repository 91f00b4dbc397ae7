-- Who is told when the team answers a contribution.
create table contribution_follows (
  site_id uuid not null,
  contribution_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (site_id, contribution_id, user_id),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index contribution_follows_user on contribution_follows (site_id, user_id);

-- A job tells of public answers, some people at a time.
alter table official_responses
  add column told_until uuid,                          -- everybody up to this account knows
  add column told_at timestamptz;                      -- everybody knows
alter table official_responses no force row level security;
update official_responses set told_at = created_at;
alter table official_responses force row level security;
create index official_responses_untold on official_responses (site_id, created_at) where told_at is null and visibility = 'public';
