-- Events that people sign up for.
create table events (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  slug text not null,
  title jsonb not null,
  description jsonb not null default '{}',
  status text not null default 'draft' check (status in ('draft', 'published', 'cancelled')),
  starts_at timestamptz,
  ends_at timestamptz,
  place jsonb not null default '{}',              -- an address, or that it is online
  join_link text not null default '',             -- shown only to people with a place
  access_info jsonb not null default '{}',        -- how people with access needs can take part
  capacity integer check (capacity > 0),          -- null: no limit
  has_waiting_list boolean not null default true,
  access text not null default 'anyone' check (access in ('anyone', 'confirmed', 'members')),
  questions jsonb not null default '[]',          -- of the questionnaire, asked at sign-up
  going integer not null default 0,               -- counted from event_sign_ups whenever one changes, under the lock of this row
  waiting integer not null default 0,
  lock_version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, project_id, slug),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  check (ends_at > starts_at)
);

-- Each locks its event's row first. What identifies the person is removed when they cancel and when the project's personal data goes.
create table event_sign_ups (
  site_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  user_id uuid,
  name text not null default '',
  email text,
  language text not null,
  answers jsonb not null default '{}',
  state text not null check (state in ('going', 'waiting', 'cancelled')),
  receipt_hash bytea,
  sealed_receipt text,                            -- the receipt's code, for mails
  attended_at timestamptz,
  reminded_at timestamptz,
  created_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, event_id) references events (site_id, id) on delete cascade,
  foreign key (site_id, user_id) references users (site_id, id) on delete set null (user_id)
);
create index event_sign_ups_event on event_sign_ups (site_id, event_id, created_at);
create index event_sign_ups_user on event_sign_ups (site_id, user_id) where user_id is not null;
create unique index event_sign_ups_account on event_sign_ups (site_id, event_id, user_id) where state <> 'cancelled' and user_id is not null;
create unique index event_sign_ups_email on event_sign_ups (site_id, event_id, lower(email)) where state <> 'cancelled' and email is not null;
create unique index event_sign_ups_receipt on event_sign_ups (site_id, receipt_hash) where receipt_hash is not null;
create index events_starting on events (site_id, starts_at) where status = 'published';

-- Whoever has a place takes part, on the day of their sign-up: that day is counted again.
create function count_sign_up_day() returns trigger language plpgsql as $$
declare
  this event_sign_ups := case when tg_op = 'DELETE' then old else new end;
begin
  if tg_op = 'UPDATE' and (old.state, old.user_id, old.created_at) is not distinct from (new.state, new.user_id, new.created_at) then
    return null;
  end if;
  insert into engaged_days_due (site_id, day)
  select this.site_id, (this.created_at at time zone s.time_zone)::date from sites s where s.id = this.site_id
    -- With a site, its figures are deleted as well.
    and not exists (select from site_deletions d where d.id = this.site_id and d.state = 'erasing')
  -- An update rather than nothing: whoever counts the day waits for this transaction.
  on conflict (site_id, day) do update set day = excluded.day;
  return null;
end $$;
create trigger count_sign_up_day after insert or update or delete on event_sign_ups for each row execute function count_sign_up_day();

call content_of('events', '{project_id}', '{lock_version,updated_at}', $$this.status <> 'draft'$$);

-- Adds one branch to `sites_with_work`, whatever the others are.
do $$
declare
  known text := pg_get_functiondef('sites_with_work(text, timestamptz)'::regprocedure);
  next_branch constant text := 'when ''make-response-blocks'' then';
begin
  if position(next_branch in known) = 0 then
    raise exception 'sites_with_work has no branch for make-response-blocks';
  end if;
  execute replace(known, next_branch, 'when ''remind-of-events'' then
      return query select distinct e.site_id from events e
        where e.status = ''published'' and e.starts_at > at and e.starts_at <= at + interval ''24 hours''
          and exists (select from event_sign_ups s where s.site_id = e.site_id and s.event_id = e.id
            and s.state = ''going'' and s.reminded_at is null);
    ' || next_branch);
end $$;
