-- Who contributes or replies takes part, as who answers does: reach counts their day again when something changes.
create index contributions_submitted on contributions (site_id, submitted_at);
create index replies_created on replies (site_id, created_at);

create function record_added_contributions() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, change)
  select distinct c.site_id, a.project_id, (c.submitted_at at time zone t.time_zone)::date, 0
  from added c join activities a on a.site_id = c.site_id and a.id = c.activity_id join sites t on t.id = c.site_id;
  return null;
end $$;

create function record_changed_contribution() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, change)
  select distinct new.site_id, a.project_id, (c.at at time zone t.time_zone)::date, 0
  from (values (old.submitted_at), (new.submitted_at)) c(at)
  join activities a on a.site_id = new.site_id and a.id = new.activity_id join sites t on t.id = new.site_id;
  return null;
end $$;

create function record_added_replies() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, change)
  select distinct r.site_id, a.project_id, (r.created_at at time zone t.time_zone)::date, 0
  from added r join contributions c on c.site_id = r.site_id and c.id = r.contribution_id
  join activities a on a.site_id = c.site_id and a.id = c.activity_id join sites t on t.id = r.site_id
  where r.role <> 'official';
  return null;
end $$;

create function record_changed_reply() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, change)
  select new.site_id, a.project_id, (new.created_at at time zone t.time_zone)::date, 0
  from contributions c join activities a on a.site_id = c.site_id and a.id = c.activity_id join sites t on t.id = c.site_id
  where c.site_id = new.site_id and c.id = new.contribution_id;
  return null;
end $$;

create trigger record_added_contributions after insert on contributions referencing new table as added
  for each statement execute function record_added_contributions();
create trigger record_changed_contribution after update on contributions for each row
  when (old.author_id is distinct from new.author_id or old.state <> new.state or old.submitted_at <> new.submitted_at
    or old.language <> new.language or old.source <> new.source)
  execute function record_changed_contribution();
create trigger record_added_replies after insert on replies referencing new table as added
  for each statement execute function record_added_replies();
create trigger record_changed_reply after update on replies for each row
  when (old.author_id is distinct from new.author_id or old.state <> new.state or old.language <> new.language)
  execute function record_changed_reply();

-- Those that were there before.
insert into engaged_days_due (site_id, day)
select c.site_id, (c.submitted_at at time zone t.time_zone)::date from contributions c join sites t on t.id = c.site_id
union select r.site_id, (r.created_at at time zone t.time_zone)::date from replies r join sites t on t.id = r.site_id
on conflict do nothing;
