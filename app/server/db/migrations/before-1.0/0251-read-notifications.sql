-- Which notifications a person has read. The notifications themselves are derived from events; only the reading is stored.
create table read_notifications (
  site_id uuid not null,
  user_id uuid not null,
  notification_id uuid not null,                       -- of what it is about: an audit event, an export, a dataset, an installation
  read_at timestamptz not null,                        -- later events make it unread again
  primary key (site_id, user_id, notification_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
