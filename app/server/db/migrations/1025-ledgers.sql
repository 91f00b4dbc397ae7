-- Public chains of salted hashes, one entry for each ballot or mark: `features/ledger`. Entries have no time and no link to what they are about.
create table ledgers (
  site_id uuid not null,
  id uuid not null,
  round_id uuid not null,                          -- whose ballots it holds
  primary key (site_id, id),
  unique (site_id, round_id),
  foreign key (site_id, round_id) references budget_rounds (site_id, id) on delete cascade
);

create table ledger_entries (
  site_id uuid not null,
  ledger_id uuid not null,
  number integer not null,
  kind text not null check (kind in ('added', 'replaced', 'result')),
  of integer,                                      -- the entry that a mark is about
  leaf bytea,                                      -- SHA-256 of a salt and the content; of a result without a salt
  hash bytea not null,                             -- SHA-256 of the entry and the hash before it
  primary key (site_id, ledger_id, number),
  foreign key (site_id, ledger_id) references ledgers (site_id, id) on delete cascade,
  check ((kind = 'replaced') = (of is not null)),
  check ((kind = 'replaced') = (leaf is null))
);
create unique index ledger_entries_leaf on ledger_entries (site_id, ledger_id, leaf) where leaf is not null;
create unique index ledger_entries_of on ledger_entries (site_id, ledger_id, of) where of is not null;

-- Entries stay as they are for as long as their ledger exists.
create function keep_ledger_entry() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' or (
    exists (select from ledgers l where l.site_id = old.site_id and l.id = old.ledger_id)
    and not exists (select from site_deletions d where d.id = old.site_id and d.state = 'erasing')
  ) then
    raise exception 'entries of a ledger are never changed';
  end if;
  return old;
end $$;
create trigger keep_entry before update or delete on ledger_entries for each row execute function keep_ledger_entry();

-- What the job `append-ledgers` will append, in an order that it draws.
create table ledger_waiting (
  site_id uuid not null,
  ledger_id uuid not null,
  kind text not null check (kind in ('added', 'replaced')),
  leaf bytea not null,
  due_at timestamptz not null,                     -- to the hour
  primary key (site_id, ledger_id, leaf, kind),
  foreign key (site_id, ledger_id) references ledgers (site_id, id) on delete cascade
);
create index ledger_waiting_due on ledger_waiting (due_at, site_id);

-- The ballot's own entry, until the result is certified.
alter table budget_ballots add column leaf bytea;

-- Adds one branch to `sites_with_work`, whatever the others are.
do $$
declare
  known text := pg_get_functiondef('sites_with_work(text, timestamptz)'::regprocedure);
  next_branch constant text := 'when ''make-response-blocks'' then';
begin
  if position(next_branch in known) = 0 then
    raise exception 'sites_with_work has no branch for make-response-blocks';
  end if;
  execute replace(known, next_branch, 'when ''append-ledgers'' then
      return query select distinct w.site_id from ledger_waiting w where w.due_at <= sites_with_work.at;
    ' || next_branch);
end $$;
