-- How often a person is mailed about followed projects: at-once | daily | weekly | never.
alter table users add column follow_mails text not null default 'at-once';

-- Updates waiting for a person's next digest.
create table follow_digest_items (
  site_id uuid not null,
  user_id uuid not null,
  update_id uuid not null,
  due_at timestamptz not null,                             -- a morning in the site's zone
  primary key (site_id, user_id, update_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, update_id) references project_updates (site_id, id) on delete cascade
);
create index follow_digest_items_due on follow_digest_items (site_id, due_at);
