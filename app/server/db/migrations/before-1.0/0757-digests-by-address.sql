-- The same as contribution_digest_items, for those who follow a project by email address only.
create table email_digest_items (
  site_id uuid not null,
  follow_id uuid not null,
  activity_id uuid not null,
  since timestamptz not null,                              -- contributions published after it are new to the follower
  due_at timestamptz not null,                             -- a Monday morning in the site's zone
  primary key (site_id, follow_id, activity_id),
  foreign key (site_id, follow_id) references email_follows (site_id, id) on delete cascade,
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade
);
create index email_digest_items_due on email_digest_items (site_id, due_at);
