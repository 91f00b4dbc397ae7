-- Reach of whole weeks and months, so that reports over years do not add up days.

create table reach_steps (
  site_id uuid not null references sites (id),
  kind text not null,                             -- site | hub | topic | project
  place_id uuid not null,
  step text not null check (step in ('week', 'month')),
  start date not null,                            -- first day of the week (Monday) or month
  language text not null,
  aware_seen integer not null,                    -- only those whose visit was counted
  informed_seen integer not null,
  aware integer not null,
  informed integer not null,
  engaged integer not null,
  primary key (site_id, kind, place_id, step, start, language)
);
create index reach_steps_start on reach_steps (site_id, step, start);

-- The sums of a step are read only while they are up to date; its days are added up otherwise.
create table reach_step_states (
  site_id uuid not null references sites (id),
  step text not null check (step in ('week', 'month')),
  start date not null,
  is_current boolean not null,
  primary key (site_id, step, start)
);

-- Waits for a job that is adding up the same step, since the job cannot see these days yet.
create function mark_reach_steps() returns trigger language plpgsql as $$
begin
  insert into reach_step_states (site_id, step, start, is_current)
  select distinct c.site_id, s.step, date_trunc(s.step, c.day)::date, false
  from changed c cross join (values ('week'), ('month')) s(step)
  -- With a site, its figures are deleted as well.
  where not exists (select from site_deletions d where d.id = c.site_id and d.state = 'erasing')
  order by 1, 2, 3
  on conflict (site_id, step, start) do update set is_current = false where reach_step_states.is_current;
  return null;
end $$;

create trigger mark_steps_on_insert after insert on reach_days
  referencing new table as changed for each statement execute function mark_reach_steps();
create trigger mark_steps_on_update after update on reach_days
  referencing new table as changed for each statement execute function mark_reach_steps();
create trigger mark_steps_on_delete after delete on reach_days
  referencing old table as changed for each statement execute function mark_reach_steps();
create trigger mark_steps_on_insert after insert on engaged_days
  referencing new table as changed for each statement execute function mark_reach_steps();
create trigger mark_steps_on_update after update on engaged_days
  referencing new table as changed for each statement execute function mark_reach_steps();
create trigger mark_steps_on_delete after delete on engaged_days
  referencing old table as changed for each statement execute function mark_reach_steps();

alter table reach_days no force row level security;
alter table engaged_days no force row level security;
insert into reach_step_states (site_id, step, start, is_current)
select distinct d.site_id, s.step, date_trunc(s.step, d.day)::date, false
from (select site_id, day from reach_days union select site_id, day from engaged_days) d cross join (values ('week'), ('month')) s(step);
alter table reach_days force row level security;
alter table engaged_days force row level security;
