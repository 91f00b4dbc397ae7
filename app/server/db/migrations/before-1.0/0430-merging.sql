-- Contributions that say the same are brought together: the double keeps its rows and its address, and names where it went.
alter table contributions
  add column merged_into uuid,
  add constraint contributions_merged_into foreign key (site_id, merged_into) references contributions (site_id, id)
    on delete set null (merged_into);
create index contributions_merged on contributions (site_id, merged_into) where merged_into is not null;

create table contribution_links (
  site_id uuid not null,
  id uuid not null,
  contribution_id uuid not null,
  target_id uuid not null,
  kind text not null check (kind in ('duplicate_of', 'related')),
  reason text not null default '',                     -- to authors and supporters
  supports_before integer not null default 0,          -- of the contribution
  target_supports_before integer not null default 0,
  target_supports_after integer not null default 0,
  created_by uuid,
  created_at timestamptz not null default now(),
  told_until uuid,                                     -- accounts up to this id have been told
  told_at timestamptz,                                 -- all of them have
  objection text not null default '',                  -- of the author
  objected_at timestamptz,
  ended_at timestamptz,
  ended_by uuid,
  end_reason text not null default '',
  primary key (site_id, id),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, target_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, created_by) references users (site_id, id) on delete set null (created_by),
  foreign key (site_id, ended_by) references users (site_id, id) on delete set null (ended_by),
  check (contribution_id <> target_id)
);
create unique index contribution_links_duplicate on contribution_links (site_id, contribution_id)
  where kind = 'duplicate_of' and ended_at is null;
create unique index contribution_links_related on contribution_links
  (site_id, least(contribution_id, target_id), greatest(contribution_id, target_id)) where kind = 'related' and ended_at is null;
create index contribution_links_target on contribution_links (site_id, target_id);
create index contribution_links_untold on contribution_links (site_id, created_at)
  where kind = 'duplicate_of' and told_at is null and ended_at is null;
