-- Words that the team of a site avoids in public texts, one list per language. A site without rows has the default lists.
create table jargon_lists (
  site_id uuid not null,
  id uuid not null,
  language text not null,
  entries text[] not null default '{}',
  lock_version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, language),
  foreign key (site_id) references sites (id) on delete cascade
);
