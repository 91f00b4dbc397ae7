-- What those who proposed an option, and those who follow the proposal, were last told of it: whether it is on the ballot, was withdrawn, and that the
-- result is certified. A job tells them.
alter table budget_options
  add column told text,                            -- feasible | not_feasible | withdrawn | decided
  add column told_until uuid,                      -- the last account that was told, until everybody was
  add column told_at timestamptz;

-- Nobody is told now of what was decided before.
update budget_options o set told = case
    when o.withdrawn_at is not null then 'withdrawn'
    when o.state = 'not_feasible' then 'not_feasible'
    when exists (select from budget_results s where s.site_id = o.site_id and s.round_id = o.round_id and s.state = 'certified') then 'decided'
    else 'feasible' end
  from budget_rounds r
  where r.site_id = o.site_id and r.id = o.round_id and r.status = 'published' and o.state <> 'idea' and o.contribution_id is not null;

call content_of('budget_options', ignored => '{lock_version,told,told_until,told_at}');

-- Adds one branch to `sites_with_work`, whatever the others are.
do $$
declare
  known text := pg_get_functiondef('sites_with_work(text, timestamptz)'::regprocedure);
  next_branch constant text := 'when ''make-response-blocks'' then';
begin
  if position(next_branch in known) = 0 then
    raise exception 'sites_with_work has no branch for make-response-blocks';
  end if;
  execute replace(known, next_branch, 'when ''tell-proposers'' then
      return query select distinct o.site_id from budget_options o join budget_rounds r on r.site_id = o.site_id and r.id = o.round_id
          join projects p on p.site_id = r.site_id and p.id = r.project_id
        where r.status = ''published'' and p.status in (''published'', ''archived'') and o.state <> ''idea'' and o.contribution_id is not null
          and (o.told_until is not null or o.told is distinct from case
            when o.withdrawn_at is not null then ''withdrawn''
            when o.state = ''not_feasible'' then ''not_feasible''
            when exists (select from budget_results s where s.site_id = o.site_id and s.round_id = o.round_id and s.state = ''certified'') then ''decided''
            else ''feasible'' end);
    ' || next_branch);
end $$;
