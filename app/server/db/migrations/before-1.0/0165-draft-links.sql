-- Links that show a draft to somebody without an account. The signed link itself is not stored: it is derived from its row.
create table draft_links (
  site_id uuid not null references sites (id),
  id uuid not null,
  subject text not null check (subject in ('homepage', 'appearance')),
  hub_id uuid,
  note text not null default '',                       -- who it is for
  created_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade
);

-- Who has an editor open: one row per open window, refreshed every few seconds.
create table editor_presences (
  site_id uuid not null,
  subject text not null check (subject in ('homepage', 'appearance')),
  scope_id uuid not null,                              -- the hub, or the site itself
  editor_id uuid not null,                             -- the editor's window
  user_id uuid not null,
  seen_at timestamptz not null,
  primary key (site_id, subject, scope_id, editor_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
