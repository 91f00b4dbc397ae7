-- Ballots on paper: sheets with codes, in batches, each typed by two people.
alter table budget_rounds add column paper text not null default 'none' check (paper in ('none', 'sheets', 'letters'));
alter table budget_ballots add column is_paper boolean not null default false;
alter table budget_results add column paper integer not null default 0;            -- how many of the ballots were on paper

create table budget_paper_batches (
  site_id uuid not null,
  id uuid not null,
  round_id uuid not null,
  number integer not null,
  name text not null,                              -- such as the place that hands them out
  sheets integer not null check (sheets > 0),      -- how many were made
  code_batch_id uuid,                              -- of letters: their codes open the ballot online too
  stated integer check (stated >= 0),              -- how many came back, as counted by hand
  state text not null default 'open' check (state in ('open', 'accepted')),
  counted integer not null default 0,
  spoilt integer not null default 0,
  voted_before integer not null default 0,
  accepted_at timestamptz,
  accepted_by uuid,
  created_by uuid,
  created_at timestamptz not null,
  lock_version integer not null default 1,
  primary key (site_id, id),
  unique (site_id, round_id, number),
  foreign key (site_id, round_id) references budget_rounds (site_id, id) on delete cascade,
  foreign key (site_id, code_batch_id) references code_batches (site_id, id) on delete set null (code_batch_id),
  foreign key (site_id, accepted_by) references users (site_id, id) on delete set null (accepted_by),
  foreign key (site_id, created_by) references users (site_id, id) on delete set null (created_by)
);

create table budget_paper_sheets (
  site_id uuid not null,
  id uuid not null,
  batch_id uuid not null,
  number integer not null,
  code_hash bytea not null,                        -- who holds the code may vote once
  outcome text check (outcome in ('counted', 'spoilt', 'voted_before')),   -- once its batch is accepted; null: it never came back
  primary key (site_id, id),
  unique (site_id, batch_id, number),
  unique (site_id, code_hash),
  foreign key (site_id, batch_id) references budget_paper_batches (site_id, id) on delete cascade
);

-- What two people read on a sheet, and what was settled if they differ. Deleted when its batch is accepted; not in backups and not in exports of sites.
create table budget_paper_typings (
  site_id uuid not null,
  id uuid not null,
  sheet_id uuid not null,
  turn integer not null check (turn in (1, 2, 3)), -- 3: settled
  options integer[] not null,
  points integer[],
  spoilt_reason text,                              -- null: the sheet is valid
  typed_by uuid,
  primary key (site_id, id),
  unique (site_id, sheet_id, turn),
  foreign key (site_id, sheet_id) references budget_paper_sheets (site_id, id) on delete cascade,
  foreign key (site_id, typed_by) references users (site_id, id) on delete set null (typed_by)
);
create unique index budget_paper_typings_by_two on budget_paper_typings (site_id, sheet_id, typed_by) where turn < 3;

create or replace function keep_round_fixed() returns trigger language plpgsql as $$
begin
  if old.has_ballots and (old.ballot_type, old.min_options, old.max_options, old.max_pots, old.max_points, old.rule, old.threshold, old.currency,
      old.access, old.verification, old.opens_at, old.seed, old.status, old.slug, old.paper, true)
    is distinct from (new.ballot_type, new.min_options, new.max_options, new.max_pots, new.max_points, new.rule, new.threshold, new.currency,
      new.access, new.verification, new.opens_at, new.seed, new.status, new.slug, new.paper, new.has_ballots) then
    raise exception 'the round has ballots' using errcode = 'PB001';
  end if;
  return new;
end $$;

call content_of('budget_rounds', '{project_id}', '{lock_version,has_ballots,seed,updated_at}', $$this.status <> 'draft'$$);
call content_of('budget_results');
