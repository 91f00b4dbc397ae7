-- Secret addresses of the calendar, at most one for each person. Only the hash of the secret is stored.
create table calendar_links (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  secret_hash bytea not null,
  created_at timestamptz not null,
  primary key (site_id, id),
  constraint calendar_links_user unique (site_id, user_id),
  constraint calendar_links_secret unique (site_id, secret_hash),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
