-- Words that a moderator should see, one list per language. A site without rows has the default lists.
create table moderation_word_lists (
  site_id uuid not null,
  id uuid not null,
  language text not null,
  held text[] not null default '{}',                   -- not published before a moderator has decided
  flagged text[] not null default '{}',                -- a moderator looks at it
  lock_version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, language),
  foreign key (site_id) references sites (id) on delete cascade
);
