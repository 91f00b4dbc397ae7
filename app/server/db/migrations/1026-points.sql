-- Ballots that share out points.
alter table budget_rounds drop constraint budget_rounds_ballot_type_check;
alter table budget_rounds add constraint budget_rounds_ballot_type_check check (ballot_type in ('knapsack', 'approve', 'points'));
alter table budget_rounds add column max_points integer check (max_points > 0);   -- that one ballot may give; only for ballots with points
alter table budget_ballots add column points integer[];                           -- of each option, in the order of `options`; null: no points

create or replace function keep_round_fixed() returns trigger language plpgsql as $$
begin
  if old.has_ballots and (old.ballot_type, old.min_options, old.max_options, old.max_pots, old.max_points, old.rule, old.threshold, old.currency,
      old.access, old.verification, old.opens_at, old.seed, old.status, old.slug, true)
    is distinct from (new.ballot_type, new.min_options, new.max_options, new.max_pots, new.max_points, new.rule, new.threshold, new.currency,
      new.access, new.verification, new.opens_at, new.seed, new.status, new.slug, new.has_ballots) then
    raise exception 'the round has ballots' using errcode = 'PB001';
  end if;
  return new;
end $$;

call content_of('budget_rounds', '{project_id}', '{lock_version,has_ballots,seed,updated_at}', $$this.status <> 'draft'$$);
