-- Supports and answers beyond what is usual from one address, which do not count until somebody has looked.
create table crowds (
  site_id uuid not null,
  id uuid not null,
  survey_id uuid,
  activity_id uuid,
  address_hash bytea,                    -- keyed, and different in each survey and activity; deleted after two days
  first_at timestamptz not null,
  last_at timestamptz not null,
  decision text,                         -- counted | not-counted; null until somebody has looked
  decided_by uuid,
  decided_at timestamptz,
  changed_at timestamptz,                -- when they last began or ceased to count
  primary key (site_id, id),
  check (num_nonnulls(survey_id, activity_id) = 1),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade,
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade,
  foreign key (site_id, decided_by) references users (site_id, id) on delete set null (decided_by)
);
create unique index crowds_open on crowds (site_id, coalesce(survey_id, activity_id), address_hash)
  where decision is null and address_hash is not null;
create index crowds_survey on crowds (site_id, survey_id) where survey_id is not null;
create index crowds_activity on crowds (site_id, activity_id) where activity_id is not null;
create index crowds_first on crowds (site_id, first_at);

alter table responses add column crowd_id uuid, add column counted boolean not null default true;
create index responses_crowd on responses (site_id, crowd_id) where crowd_id is not null;
alter table reactions add column crowd_id uuid, add column counted boolean not null default true;
create index reactions_crowd on reactions (site_id, crowd_id) where crowd_id is not null;

-- Addresses and networks that may send more: a library, a school, a call centre.
alter table sites add column shared_networks text[] not null default '{}';

-- The figures of the dashboard count what is counted.
create or replace function record_added_responses() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, user_id, change)
  select r.site_id, s.project_id, (r.submitted_at at time zone t.time_zone)::date, r.user_id, count(*)
  from added r join surveys s on s.site_id = r.site_id and s.id = r.survey_id join sites t on t.id = r.site_id
  where r.withdrawn_at is null and r.counted
  group by 1, 2, 3, 4;
  return null;
end $$;

create or replace function record_deleted_responses() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, user_id, change)
  select r.site_id, s.project_id, (r.submitted_at at time zone t.time_zone)::date, r.user_id, -count(*)
  from deleted r join surveys s on s.site_id = r.site_id and s.id = r.survey_id join sites t on t.id = r.site_id
  where r.withdrawn_at is null and r.counted
    -- With a site, its figures are deleted as well.
    and not exists (select from site_deletions d where d.id = r.site_id and d.state = 'erasing')
  group by 1, 2, 3, 4;
  return null;
end $$;

create or replace function record_changed_response() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, user_id, change)
  select new.site_id, s.project_id, (c.at at time zone t.time_zone)::date, c.user_id, sum(c.change)
  from (values (old.survey_id, old.submitted_at, old.user_id, -1, old.withdrawn_at, old.counted), (new.survey_id, new.submitted_at, new.user_id, 1, new.withdrawn_at, new.counted))
    c(survey_id, at, user_id, change, withdrawn_at, counted)
  join surveys s on s.site_id = new.site_id and s.id = c.survey_id join sites t on t.id = new.site_id
  where c.withdrawn_at is null and c.counted
  group by 1, 2, 3, 4;
  return null;
end $$;

drop trigger record_changed_response on responses;
create trigger record_changed_response after update on responses for each row
  when (old.survey_id <> new.survey_id or old.submitted_at <> new.submitted_at or old.user_id is distinct from new.user_id
    or (old.withdrawn_at is null) <> (new.withdrawn_at is null) or old.language <> new.language or old.source <> new.source
    or old.counted <> new.counted)
  execute function record_changed_response();
