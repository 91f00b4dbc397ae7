-- Until when followers of an activity's project were told of contributions, or have them waiting in a digest.
alter table activities add column news_until timestamptz not null default now();

-- Activities with new contributions, waiting for a person's next digest.
create table contribution_digest_items (
  site_id uuid not null,
  user_id uuid not null,
  activity_id uuid not null,
  since timestamptz not null,                              -- contributions published after it are new to the person
  due_at timestamptz not null,                             -- a morning in the site's zone
  primary key (site_id, user_id, activity_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade
);
create index contribution_digest_items_due on contribution_digest_items (site_id, due_at);
