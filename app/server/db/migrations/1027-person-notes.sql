-- What the team notes about a person. It is part of what the person gets as their own data.
create table person_notes (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  author_id uuid,
  body text not null,
  read_by text not null check (read_by in ('people-managers', 'site-administrators')),
  created_at timestamptz not null,
  edited_at timestamptz,
  lock_version integer not null default 1,
  primary key (site_id, id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, author_id) references users (site_id, id) on delete set null (author_id)
);
create index person_notes_person on person_notes (site_id, user_id, created_at);
create index person_notes_author on person_notes (site_id, author_id) where author_id is not null;

-- For the list of what one person did, and for erasing them.
create index sms_messages_user on sms_messages (site_id, user_id) where user_id is not null;
create index sms_consents_user on sms_consents (site_id, user_id) where user_id is not null;
