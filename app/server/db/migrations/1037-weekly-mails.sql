-- The last week for which everybody's weekly mail was written, by its Monday.
create table weekly_mails (
  site_id uuid not null references sites (id),
  week date not null,
  primary key (site_id)
);

-- Adds one branch to `sites_with_work`, whatever the others are: from eight o'clock on Monday, for two days.
do $$
declare
  known text := pg_get_functiondef('sites_with_work(text, timestamptz)'::regprocedure);
  next_branch constant text := 'when ''make-response-blocks'' then';
begin
  if position(next_branch in known) = 0 then
    raise exception 'sites_with_work has no branch for make-response-blocks';
  end if;
  execute replace(known, next_branch, 'when ''mail-weekly'' then
      return query select due.id from (
          select s.id, (sites_with_work.at at time zone s.time_zone) - interval ''8 hours'' as morning from sites s) due
        where due.morning < date_trunc(''week'', due.morning) + interval ''2 days''
          and not exists (select from weekly_mails w where w.site_id = due.id and w.week >= date_trunc(''week'', due.morning)::date);
    ' || next_branch);
end $$;
