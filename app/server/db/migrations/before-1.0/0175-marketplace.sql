-- What a site has installed from the marketplace, with sealed credentials and settings.
create table installations (
  site_id uuid not null references sites (id),
  id uuid not null,
  integration text not null,                               -- id of its manifest
  settings jsonb not null default '{}',                    -- what is not secret
  sealed_secrets text,                                     -- the rest, as sealed JSON
  enabled_at timestamptz,
  health text not null default 'untested',                 -- untested | working | failing | down
  failures integer not null default 0,                     -- consecutive
  paused_until timestamptz,                                -- no requests until then
  last_used_at timestamptz,
  last_fault jsonb,                                        -- { code, at }
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  lock_version integer not null default 1,
  primary key (site_id, id),
  unique (site_id, integration)
);

-- Requests to the service: address and outcome, but neither content nor recipient.
create table installation_calls (
  site_id uuid not null,
  id uuid not null,
  installation_id uuid not null,
  at timestamptz not null,
  operation text not null,
  target text not null,                                    -- host and path, without anything that identifies a person or an account
  outcome text not null,                                   -- ok, or the code of a fault
  status integer,
  milliseconds integer not null,
  note text not null default '',                           -- the service's own error code
  primary key (site_id, id),
  foreign key (site_id, installation_id) references installations (site_id, id) on delete cascade
);
create index installation_calls_recent on installation_calls (site_id, installation_id, at desc);

-- Every outgoing and incoming text message.
create table sms_messages (
  site_id uuid not null references sites (id),
  id uuid not null,
  direction text not null,                                 -- out | in
  purpose text not null,                                   -- test | code | campaign | reply | survey
  status text not null,                                    -- waiting | sending | accepted | delivered | failed | skipped | received
  phone text not null,                                     -- the other party's number, E.164
  user_id uuid,
  language text not null,
  body text not null,
  segments integer not null default 1,
  integration text,                                        -- the service that sent it, or is sending it
  provider_id text,                                        -- that service's id for it
  fault text,
  attempts integer not null default 0,
  next_attempt_at timestamptz,                             -- null: nothing more to do
  created_at timestamptz not null,
  tried_at timestamptz,                                    -- when a service was first given it
  sent_at timestamptz,
  settled_at timestamptz,                                  -- delivered, or given up
  primary key (site_id, id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index sms_messages_recent on sms_messages (site_id, created_at desc, id desc);
create index sms_messages_due on sms_messages (site_id, next_attempt_at) where next_attempt_at is not null;
create unique index sms_messages_provider on sms_messages (site_id, integration, provider_id) where provider_id is not null;
