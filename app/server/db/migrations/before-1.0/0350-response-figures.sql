-- Figures about responses, so that no page counts the responses themselves. All of it is derived from `responses` and unlogged: it is in no
-- backup, and after a crash of the database a job counts it again.

-- What changed since a job last added it to the figures. Only ever inserted into, so that an arriving response waits for nobody.
create unlogged table response_changes (
  site_id uuid not null,
  project_id uuid not null,
  day date,                                          -- in the site's calendar; null: the project changed its place or was deleted
  user_id uuid,
  change integer not null                            -- responses added; 0 if only their language or source changed
);
create index response_changes_site on response_changes (site_id);

create unlogged table response_days (
  site_id uuid not null,
  day date not null,                                 -- in the site's calendar
  project_id uuid not null,
  responses integer not null,
  primary key (site_id, day, project_id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);

create unlogged table response_totals (
  site_id uuid not null,
  project_id uuid not null,
  responses integer not null,
  without_account integer not null,
  primary key (site_id, project_id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);

-- Accounts with responses in a project: who takes part in several projects of a place counts once there.
create unlogged table project_people (
  site_id uuid not null,
  project_id uuid not null,
  user_id uuid not null,
  responses integer not null,
  primary key (site_id, project_id, user_id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index project_people_user on project_people (site_id, user_id);
create index project_people_gone on project_people (site_id) where responses <= 0;

create unlogged table place_people (
  site_id uuid not null,
  place_id uuid not null,                            -- the site, a hub or a project
  people integer not null,
  primary key (site_id, place_id)
);

-- People who took part, each once a day, as reach counts them.
create unlogged table engaged_days (
  site_id uuid not null,
  kind text not null,                                -- site | hub | topic | project
  place_id uuid not null,
  day date not null,
  language text not null,
  web integer not null,                              -- whose visit may have been counted
  other integer not null,                            -- on paper, by text or from another website
  primary key (site_id, kind, place_id, day, language)
);
create index engaged_days_day on engaged_days (site_id, day);

create unlogged table engaged_days_due (
  site_id uuid not null,
  day date not null,                                 -- to be counted again
  primary key (site_id, day)
);

create unlogged table response_recounts (
  site_id uuid not null,
  time_zone text not null,                           -- in which its days were counted
  changed_at timestamptz not null,                   -- when the figures last changed
  recounted_at timestamptz not null,                 -- when they were last compared with the responses
  primary key (site_id)
);

create function record_added_responses() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, user_id, change)
  select r.site_id, s.project_id, (r.submitted_at at time zone t.time_zone)::date, r.user_id, count(*)
  from added r join surveys s on s.site_id = r.site_id and s.id = r.survey_id join sites t on t.id = r.site_id
  where r.withdrawn_at is null
  group by 1, 2, 3, 4;
  return null;
end $$;

create function record_deleted_responses() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, user_id, change)
  select r.site_id, s.project_id, (r.submitted_at at time zone t.time_zone)::date, r.user_id, -count(*)
  from deleted r join surveys s on s.site_id = r.site_id and s.id = r.survey_id join sites t on t.id = r.site_id
  where r.withdrawn_at is null
    -- With a site, its figures are deleted as well.
    and not exists (select from site_deletions d where d.id = r.site_id and d.state = 'erasing')
  group by 1, 2, 3, 4;
  return null;
end $$;

create function record_changed_response() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, user_id, change)
  select new.site_id, s.project_id, (c.at at time zone t.time_zone)::date, c.user_id, sum(c.change)
  from (values (old.survey_id, old.submitted_at, old.user_id, -1, old.withdrawn_at), (new.survey_id, new.submitted_at, new.user_id, 1, new.withdrawn_at))
    c(survey_id, at, user_id, change, withdrawn_at)
  join surveys s on s.site_id = new.site_id and s.id = c.survey_id join sites t on t.id = new.site_id
  where c.withdrawn_at is null
  group by 1, 2, 3, 4;
  return null;
end $$;

create function record_moved_project() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, change)
  select old.site_id, old.id, 0 where not exists (select from site_deletions d where d.id = old.site_id and d.state = 'erasing');
  return null;
end $$;

create trigger record_added_responses after insert on responses referencing new table as added
  for each statement execute function record_added_responses();
create trigger record_deleted_responses after delete on responses referencing old table as deleted
  for each statement execute function record_deleted_responses();
create trigger record_changed_response after update on responses for each row
  when (old.survey_id <> new.survey_id or old.submitted_at <> new.submitted_at or old.user_id is distinct from new.user_id
    or (old.withdrawn_at is null) <> (new.withdrawn_at is null) or old.language <> new.language or old.source <> new.source)
  execute function record_changed_response();
create trigger record_moved_project after update on projects for each row
  when (old.hub_id is distinct from new.hub_id or old.topic_id is distinct from new.topic_id)
  execute function record_moved_project();
create trigger record_deleted_project after delete on projects for each row execute function record_moved_project();

-- Three more jobs look before they go. A site that was never counted is due, and one whose calendar changed.
create or replace function sites_with_work(job text, at timestamptz) returns setof uuid language plpgsql as $$
declare
  site record;
  due boolean;
begin
  for site in select id, status, time_zone from sites loop
    -- Mails leave a site that is suspended all the same.
    continue when site.status <> 'active' and job <> 'deliver-mails';
    perform set_config('parley.site_id', site.id::text, true);
    case job
      when 'publish-due-projects' then
        due := exists (select from projects p where p.site_id = site.id and p.status = 'scheduled' and p.publish_at <= at);
      when 'announce-revisions' then
        due := exists (select from homepage_revisions r where r.site_id = site.id and r.published_at <= at and r.announced_at is null)
          or exists (select from appearance_revisions r where r.site_id = site.id and r.published_at <= at and r.announced_at is null);
      when 'mail-updates' then
        due := exists (select from project_updates u where u.site_id = site.id and u.published_at <= at and u.notified_at is null);
      when 'deliver-mails' then
        due := exists (select from outbox_mails m where m.site_id = site.id and m.sent_at is null and m.fault is null and m.next_attempt_at <= at);
      when 'run-campaigns' then
        due := exists (select from campaigns c where c.site_id = site.id and (c.status in ('scheduled', 'preparing', 'sending')
          or (c.status = 'cancelled' and c.tally is null)));
      when 'send-texts' then
        due := exists (select from sms_messages m where m.site_id = site.id and m.next_attempt_at <= at);
      when 'deliver-webhooks' then
        due := exists (select from installations i where i.site_id = site.id and i.enabled_at is not null);
      when 'synchronise-city-data' then
        due := exists (select from city_datasets d where d.site_id = site.id and d.due_at <= at);
      when 'make-exports' then
        due := exists (select from survey_exports e where e.site_id = site.id and e.state in ('waiting', 'running'));
      when 'make-response-blocks' then
        -- A block has 8192 responses: where there is none yet, only numbering can be due.
        due := exists (select from surveys s where s.site_id = site.id and (s.responses_numbered >= 8192
          or exists (select from responses r where r.site_id = site.id and r.survey_id = s.id and r.number is null)));
      when 'count-responses' then
        due := exists (select from response_changes c where c.site_id = site.id)
          or not exists (select from response_recounts c where c.site_id = site.id and c.time_zone = site.time_zone);
      when 'roll-up-reach' then
        due := exists (select from engaged_days_due d where d.site_id = site.id)
          or exists (select from reach_salts s where s.site_id = site.id
            and (s.changed or s.day < ((at - interval '10 minutes') at time zone site.time_zone)::date));
      when 'count-platform-figures' then
        due := not exists (
          select from site_figures f where f.site_id = site.id and f.counted_at > at - interval '1 hour'
            -- Somebody visited today: reach changes.
            and (f.counted_at > at - interval '5 minutes' or not exists (select from reach_salts s where s.site_id = site.id))
            and not exists (select from response_recounts c where c.site_id = site.id and c.changed_at > f.counted_at)
            and f.connections = (select count(*) from installations i where i.site_id = site.id and i.enabled_at is not null)
              + (select count(*) from city_connectors c where c.site_id = site.id)
            and jsonb_array_length(f.failing) = (select count(*) from installations i
                where i.site_id = site.id and i.enabled_at is not null and i.health in ('failing', 'down'))
              + (select count(*) from city_connectors c where c.site_id = site.id and c.failures > 0)
            and f.open_projects = (select count(*) from projects p where p.site_id = site.id and p.status = 'published'
              and (p.opens_at is null or p.opens_at <= at) and (p.closes_at is null or p.closes_at > at)));
      else
        raise exception 'no look is known for the job %', job;
    end case;
    if due then return next site.id; end if;
  end loop;
end $$;
