-- Newsletters: mail campaigns, with the same model as SMS campaigns.
alter table sms_campaigns rename to campaigns;
alter index sms_campaigns_open rename to campaigns_open;
alter table campaigns
  add column channel text not null default 'sms',          -- sms | email
  add column subject jsonb not null default '{}',
  add column content jsonb not null default '{}',          -- { schema, blocks }, as in pages
  add column tally jsonb;                                  -- once a newsletter is done: { accepted, failed, skipped }, because mails are not kept forever

-- A newsletter's content, once per language: its mails only hold their recipients.
create table campaign_mails (
  site_id uuid not null,
  campaign_id uuid not null,
  language text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  primary key (site_id, campaign_id, language),
  foreign key (site_id, campaign_id) references campaigns (site_id, id) on delete cascade
);

alter table outbox_mails
  add column campaign_id uuid,
  add column recipient_name text,
  add column handed_at timestamptz,                        -- sent to the mail service, which has not answered yet
  add column fault text;                                   -- why it is never sent
-- At most one mail per person and campaign, even after a crash.
create unique index outbox_mails_campaign on outbox_mails (site_id, campaign_id, user_id) where campaign_id is not null;
drop index outbox_mails_due;
create index outbox_mails_due on outbox_mails (site_id, next_attempt_at) where sent_at is null and fault is null;

-- The consent ledger: every yes and no to news by mail, with its wording. It outlives the account, because a refusal must be remembered.
create table mail_consents (
  site_id uuid not null references sites (id),
  id uuid not null,
  email text not null,
  user_id uuid,
  given boolean not null,
  words text not null,
  language text not null,
  source text not null,                                    -- account | mail
  address text,
  at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, user_id) references users (site_id, id) on delete set null (user_id)
);
create index mail_consents_user on mail_consents (site_id, user_id, at);
-- Consents from before the ledger: their wording was not stored.
insert into mail_consents (site_id, id, email, user_id, given, words, language, source, at)
  select site_id, gen_random_uuid(), email, id, true, '', locale, 'account', marketing_consent_at from users where marketing_consent_at is not null;

-- Addresses that mails do not reach.
create table mail_addresses (
  site_id uuid not null references sites (id),
  address text not null,
  soft_failures integer not null default 0,                -- consecutive mails that were given up
  bounced_at timestamptz,
  reason text,
  updated_at timestamptz not null,
  primary key (site_id, address)
);
