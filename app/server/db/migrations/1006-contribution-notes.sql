-- What the team notes about a contribution, for itself.
create table contribution_notes (
  site_id uuid not null,
  id uuid not null,
  contribution_id uuid not null,
  author_id uuid,
  body text not null,
  created_at timestamptz not null,
  edited_at timestamptz,
  lock_version integer not null default 1,
  primary key (site_id, id),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, author_id) references users (site_id, id) on delete set null (author_id)
);
create index contribution_notes_contribution on contribution_notes (site_id, contribution_id, created_at);
create index contribution_notes_author on contribution_notes (site_id, author_id) where author_id is not null;
