-- The link that creates the first platform administrator belongs to no user yet.
alter table one_time_links alter column user_id drop not null;
create index one_time_links_user on one_time_links (site_id, user_id);

-- A mail belongs to its recipient and is deleted with the account.
alter table outbox_mails
  add column kind text not null default '',
  add column user_id uuid,
  add column next_attempt_at timestamptz not null default now(),
  add foreign key (site_id, user_id) references users (site_id, id) on delete cascade;
create index outbox_mails_due on outbox_mails (site_id, next_attempt_at) where sent_at is null;
create index outbox_mails_user on outbox_mails (site_id, user_id);
