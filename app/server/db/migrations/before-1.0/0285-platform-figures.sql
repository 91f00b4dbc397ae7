-- Platform health, for those who run it. Global: it holds job runs, and for each site counts and failing connections, but nothing about its
-- people or content. Jobs rebuild both tables if they are lost, so they are not backed up.
create unlogged table job_turns (
  name text primary key,
  every_seconds integer not null,
  done_at timestamptz,                               -- end of the last successful run
  took_ms integer,                                   -- duration of the last run, successful or not
  failed_at timestamptz,
  failures integer not null default 0                -- consecutive
);

create unlogged table site_figures (
  site_id uuid primary key references sites (id) on delete cascade,
  counted_at timestamptz not null,
  open_projects integer not null,
  participants integer not null,
  responses integer not null,
  aware integer not null,                            -- over the last 30 days, as in the site's own reports
  informed integer not null,
  engaged integer not null,
  connections integer not null,                      -- enabled connections
  failing jsonb not null                             -- failing connections: kind, service or host, since
);
