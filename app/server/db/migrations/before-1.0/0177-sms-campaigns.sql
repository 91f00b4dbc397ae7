-- Campaigns: one text message, in each language, to everyone in an audience who agreed to text messages.
create table sms_campaigns (
  site_id uuid not null references sites (id),
  id uuid not null,
  hub_id uuid,                                             -- for one department's people ...
  project_id uuid,                                         -- ... or one project's followers
  name text not null,
  body jsonb not null default '{}',
  audience jsonb not null default '{}',                    -- filters: { group, topic, language }
  status text not null default 'draft',                    -- draft | scheduled | preparing | sending | paused | done | cancelled
  send_at timestamptz,
  prepared_until uuid,                                     -- people up to this id have their message
  prepared integer not null default 0,
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  lock_version integer not null default 1,
  primary key (site_id, id),
  foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade,
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index sms_campaigns_open on sms_campaigns (site_id, status) where status in ('scheduled', 'preparing', 'sending', 'paused');

alter table sms_messages
  add column campaign_id uuid,
  add foreign key (site_id, campaign_id) references sms_campaigns (site_id, id) on delete cascade;
-- At most one message per number and campaign, even after a crash.
create unique index sms_messages_campaign on sms_messages (site_id, campaign_id, phone) where campaign_id is not null;
create index sms_messages_campaign_status on sms_messages (site_id, campaign_id, status) where campaign_id is not null;
