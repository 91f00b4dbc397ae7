-- Since when every request to an installation's service has failed; null while it works.
alter table installations add column failing_since timestamptz;

-- Events of a site, to deliver to its webhook address until that accepts them.
create table webhook_deliveries (
  site_id uuid not null,
  id uuid not null,                                        -- the same for each attempt, so that the receiver can deduplicate
  installation_id uuid not null,
  event text not null,
  subject_id uuid not null,                                -- the response, project, survey, update or account
  body text not null,                                      -- as signed and posted, byte for byte
  status text not null default 'waiting',                  -- waiting | delivered | failed
  occurred_at timestamptz not null,
  tried_since timestamptz not null,                        -- start of the retries: when it happened or was replayed
  attempts integer not null default 0,
  next_attempt_at timestamptz,                             -- null: nothing more to do
  answered integer,                                        -- status of the last response
  fault text,
  delivered_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, installation_id) references installations (site_id, id) on delete cascade
);
create index webhook_deliveries_recent on webhook_deliveries (site_id, installation_id, occurred_at desc, id desc);
create index webhook_deliveries_due on webhook_deliveries (site_id, next_attempt_at) where next_attempt_at is not null;

-- Which surveys were open at the last check: they open and close on schedule, without anybody doing anything.
create table webhook_watches (
  site_id uuid not null,
  installation_id uuid not null,
  enabled_at timestamptz not null,                         -- of the installation: after it is re-enabled, events from in between are not sent
  open_surveys uuid[] not null,
  primary key (site_id, installation_id),
  foreign key (site_id, installation_id) references installations (site_id, id) on delete cascade
);
