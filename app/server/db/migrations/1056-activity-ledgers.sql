-- Public chains of salted hashes of what is sent to an activity, as `1025-ledgers.sql` has them for ballots: `features/ledger`. Tables of their own,
-- because those of rounds refuse what they do not know, and processes of the release before still read them.
create table activity_ledgers (
  site_id uuid not null,
  id uuid not null,
  activity_id uuid not null,                       -- whose contributions it holds
  primary key (site_id, id),
  unique (site_id, activity_id),
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade
);

create table activity_ledger_entries (
  site_id uuid not null,
  ledger_id uuid not null,
  number integer not null,
  kind text not null check (kind in ('added', 'replaced', 'withdrawn')),
  of integer,                                      -- the entry that a mark is about
  leaf bytea,                                      -- SHA-256 of a salt and the content
  hash bytea not null,                             -- SHA-256 of the entry and the hash before it
  primary key (site_id, ledger_id, number),
  foreign key (site_id, ledger_id) references activity_ledgers (site_id, id) on delete cascade,
  check ((kind = 'added') = (of is null)),
  check ((kind = 'added') = (leaf is not null))
);
create unique index activity_ledger_entries_leaf on activity_ledger_entries (site_id, ledger_id, leaf) where leaf is not null;
create unique index activity_ledger_entries_of on activity_ledger_entries (site_id, ledger_id, of) where of is not null;

-- Entries stay as they are for as long as their ledger exists.
create function keep_activity_ledger_entry() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' or (
    exists (select from activity_ledgers l where l.site_id = old.site_id and l.id = old.ledger_id)
    and not exists (select from site_deletions d where d.id = old.site_id and d.state = 'erasing')
  ) then
    raise exception 'entries of a ledger are never changed';
  end if;
  return old;
end $$;
create trigger keep_entry before update or delete on activity_ledger_entries for each row execute function keep_activity_ledger_entry();

-- What the job `append-ledgers` will append, in an order that it draws.
create table activity_ledger_waiting (
  site_id uuid not null,
  ledger_id uuid not null,
  kind text not null check (kind in ('added', 'replaced', 'withdrawn')),
  leaf bytea not null,
  due_at timestamptz not null,                     -- to the hour
  primary key (site_id, ledger_id, leaf, kind),
  foreign key (site_id, ledger_id) references activity_ledgers (site_id, id) on delete cascade
);
create index activity_ledger_waiting_due on activity_ledger_waiting (due_at, site_id);

-- Connects a contribution with its entry. The row is deleted with the text.
create table contribution_leaves (
  site_id uuid not null,
  contribution_id uuid not null,
  ledger_id uuid not null,
  salt bytea not null,
  leaf bytea not null,
  primary key (site_id, contribution_id),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, ledger_id) references activity_ledgers (site_id, id) on delete cascade
);
create index contribution_leaves_ledger on contribution_leaves (site_id, ledger_id);

-- The job finds both kinds of ledgers.
do $$
declare
  known text := pg_get_functiondef('sites_with_work(text, timestamptz)'::regprocedure);
  lookup constant text := 'select distinct w.site_id from ledger_waiting w where w.due_at <= sites_with_work.at;';
begin
  if position(lookup in known) = 0 then
    raise exception 'sites_with_work does not look for waiting entries of ledgers';
  end if;
  execute replace(known, lookup, 'select w.site_id from ledger_waiting w where w.due_at <= sites_with_work.at
        union select w.site_id from activity_ledger_waiting w where w.due_at <= sites_with_work.at;');
end $$;
