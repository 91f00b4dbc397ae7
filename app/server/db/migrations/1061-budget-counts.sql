-- Counts of rounds with very many ballots, made in the background. What a count finds is a result as any other.
create table budget_counts (
  site_id uuid not null,
  id uuid not null,
  round_id uuid not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  progress integer not null default 0,             -- percent
  attempts integer not null default 0,
  created_by uuid,                                 -- who asked for it: counts as the person who counted
  created_at timestamptz not null,
  alive_at timestamptz,                            -- last heartbeat of its process while it runs
  lease uuid,                                      -- of the worker that makes it; one that was given up must not finish it as well
  finished_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, round_id) references budget_rounds (site_id, id) on delete cascade,
  foreign key (site_id, created_by) references users (site_id, id) on delete set null (created_by)
);
-- Two people who ask at the same time wait for the same count.
create unique index budget_counts_once on budget_counts (site_id, round_id) where state in ('waiting', 'running');
create index budget_counts_round on budget_counts (site_id, round_id, created_at);

-- Adds one branch to `sites_with_work`, whatever the others are.
do $$
declare
  known text := pg_get_functiondef('sites_with_work(text, timestamptz)'::regprocedure);
  next_branch constant text := 'when ''make-response-blocks'' then';
begin
  if position(next_branch in known) = 0 then
    raise exception 'sites_with_work has no branch for make-response-blocks';
  end if;
  execute replace(known, next_branch, 'when ''count-rounds'' then
      return query select distinct c.site_id from budget_counts c where c.state in (''waiting'', ''running'');
    ' || next_branch);
end $$;
