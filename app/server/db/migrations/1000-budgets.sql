-- Participatory budgets. Amounts are in minor units of the round's currency.
create table budget_rounds (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  slug text not null,
  title jsonb not null,
  intro jsonb not null default '{}',
  status text not null default 'draft' check (status in ('draft', 'published')),
  ballot_type text not null default 'knapsack' check (ballot_type in ('knapsack', 'approve')),
  min_options integer not null default 1,
  max_options integer,
  max_pots integer,                                -- that one ballot may use; null: all
  rule text not null default 'equal-shares' check (rule in ('greedy', 'greedy-no-skip', 'equal-shares')),
  threshold integer not null default 0,            -- votes without which nothing is funded
  currency text not null default 'CAD',
  access text not null default 'verified' check (access in ('verified', 'confirmed')),
  verification jsonb,                              -- what verified people must have shown
  opens_at timestamptz,
  closes_at timestamptz,
  position integer not null default 0,
  seed text,                                       -- decides ties; told when the count is published
  has_ballots boolean not null default false,      -- what ballots rest on is fixed
  lock_version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, project_id, slug),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);

create table budget_pots (
  site_id uuid not null,
  id uuid not null,
  round_id uuid not null,
  title jsonb not null,
  amount bigint not null check (amount > 0),
  position integer not null default 0,
  lock_version integer not null default 1,
  primary key (site_id, id),
  foreign key (site_id, round_id) references budget_rounds (site_id, id) on delete cascade
);
create index budget_pots_round on budget_pots (site_id, round_id);

create table budget_options (
  site_id uuid not null,
  id uuid not null,
  round_id uuid not null,
  pot_id uuid not null,
  number integer not null,                         -- ballots and files name it by this
  title jsonb not null,
  text jsonb not null default '{}',
  cost bigint check (cost > 0),                    -- null until screening has found it
  cost_note jsonb not null default '{}',
  place text not null default '',
  exclusive_group text not null default '',        -- of options with the same word one is funded
  state text not null default 'idea' check (state in ('idea', 'feasible', 'not_feasible')),
  reason jsonb not null default '{}',              -- why it is not feasible
  contribution_id uuid,                            -- that it was made from
  withdrawn_at timestamptz,
  withdrawn_reason jsonb not null default '{}',
  delivery text check (delivery in ('planned', 'under_way', 'done')),
  delivery_note jsonb not null default '{}',
  lock_version integer not null default 1,
  primary key (site_id, id),
  unique (site_id, round_id, number),
  foreign key (site_id, round_id) references budget_rounds (site_id, id) on delete cascade,
  foreign key (site_id, pot_id) references budget_pots (site_id, id) on delete cascade,
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete set null (contribution_id),
  check (state <> 'feasible' or cost is not null)
);
create index budget_options_pot on budget_options (site_id, pot_id);
create index budget_options_contribution on budget_options (site_id, contribution_id) where contribution_id is not null;

-- Without anything about who cast it, but for the key, which needs the round's secret and is deleted with it when the result is certified.
create table budget_ballots (
  site_id uuid not null,
  id uuid not null,
  round_id uuid not null,
  ballot_key bytea,                                -- HMAC-SHA256 of the voter with the round's secret
  options integer[] not null,                      -- their numbers, in order
  version integer not null default 1,              -- how often it was cast
  cast_at timestamptz not null,                    -- to the hour
  receipt_hash bytea not null,
  primary key (site_id, id),
  unique (site_id, round_id, ballot_key),
  unique (site_id, receipt_hash),
  foreign key (site_id, round_id) references budget_rounds (site_id, id) on delete cascade
);

-- That somebody has voted, without ballot or time.
create table budget_voters (
  site_id uuid not null,
  round_id uuid not null,
  person_hash bytea not null,                      -- HMAC-SHA256 with the installation's key
  is_counted boolean not null default true,        -- one row of each voter is; a person may be recognised by several
  primary key (site_id, round_id, person_hash),
  foreign key (site_id, round_id) references budget_rounds (site_id, id) on delete cascade
);

-- Not in backups and not in exports of sites. Deleted when the result is certified.
create table budget_secrets (
  site_id uuid not null,
  round_id uuid not null,
  secret bytea not null,
  primary key (site_id, round_id),
  foreign key (site_id, round_id) references budget_rounds (site_id, id) on delete cascade
);

create table budget_results (
  site_id uuid not null,
  id uuid not null,
  round_id uuid not null,
  state text not null default 'provisional' check (state in ('provisional', 'certified', 'superseded')),
  rule text not null,
  pots jsonb not null,                             -- for each pot: ballots, digest, lot and the outcome of every rule
  ballots integer not null,
  counted_at timestamptz not null,
  counted_by uuid,
  certified_at timestamptz,
  certified_by uuid,
  primary key (site_id, id),
  foreign key (site_id, round_id) references budget_rounds (site_id, id) on delete cascade,
  foreign key (site_id, counted_by) references users (site_id, id) on delete set null (counted_by),
  foreign key (site_id, certified_by) references users (site_id, id) on delete set null (certified_by),
  check (certified_by is null or certified_by <> counted_by)
);
create unique index budget_results_standing on budget_results (site_id, round_id) where state <> 'superseded';

-- From the first ballot on, what ballots rest on stays as it is.
create function keep_round_fixed() returns trigger language plpgsql as $$
begin
  if old.has_ballots and (old.ballot_type, old.min_options, old.max_options, old.max_pots, old.rule, old.threshold, old.currency, old.access,
      old.verification, old.opens_at, old.seed, old.status, old.slug, true)
    is distinct from (new.ballot_type, new.min_options, new.max_options, new.max_pots, new.rule, new.threshold, new.currency, new.access,
      new.verification, new.opens_at, new.seed, new.status, new.slug, new.has_ballots) then
    raise exception 'the round has ballots' using errcode = 'PB001';
  end if;
  return new;
end $$;
create trigger fixed_by_ballots before update on budget_rounds for each row execute function keep_round_fixed();

-- Waits for a ballot that is being cast: it locks its round.
create function require_no_ballots(site uuid, round uuid) returns void language plpgsql as $$
begin
  if (select r.has_ballots from budget_rounds r where r.site_id = site and r.id = round for no key update) then
    raise exception 'the round has ballots' using errcode = 'PB001';
  end if;
end $$;
create function keep_pot_fixed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or (old.amount, old.round_id) is distinct from (new.amount, new.round_id) then
    perform require_no_ballots(new.site_id, new.round_id);
  end if;
  return new;
end $$;
create trigger fixed_by_ballots before insert or update on budget_pots for each row execute function keep_pot_fixed();
create function keep_option_fixed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or (old.round_id, old.pot_id, old.number, old.title, old.text, old.cost, old.cost_note, old.place, old.exclusive_group, old.state)
    is distinct from (new.round_id, new.pot_id, new.number, new.title, new.text, new.cost, new.cost_note, new.place, new.exclusive_group, new.state) then
    perform require_no_ballots(new.site_id, new.round_id);
  end if;
  return new;
end $$;
create trigger fixed_by_ballots before insert or update on budget_options for each row execute function keep_option_fixed();

call content_of('budget_rounds', '{project_id}', '{lock_version,has_ballots,seed,updated_at}', $$this.status <> 'draft'$$);
call content_of('budget_pots', ignored => '{lock_version}');
call content_of('budget_options', ignored => '{lock_version}');
call content_of('budget_results');
