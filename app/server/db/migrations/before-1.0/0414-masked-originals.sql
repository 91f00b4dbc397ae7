-- What a text said before a moderator removed passages from it. Its row, its versions and the search have the text without them.
create table masked_originals (
  site_id uuid not null,
  id uuid not null,
  contribution_id uuid not null,
  reply_id uuid,                                       -- set if it is the text of a reply to the contribution
  texts jsonb not null,                                -- by field
  passages jsonb not null default '[]',                -- what was removed, in the order of decisions
  versions jsonb not null default '[]',                -- of the contribution, until the first masking
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, reply_id) references replies (site_id, id) on delete cascade
);
create unique index masked_originals_subject on masked_originals
  (site_id, contribution_id, coalesce(reply_id, '00000000-0000-0000-0000-000000000000'));
create index masked_originals_reply on masked_originals (site_id, reply_id) where reply_id is not null;

-- Passages are named by their place in one version of a text.
alter table replies add column version integer not null default 1;
