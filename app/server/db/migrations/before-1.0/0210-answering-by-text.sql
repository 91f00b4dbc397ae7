-- Keywords that start a survey by text message, each in one language. A survey with any keyword accepts text messages.
create table survey_keywords (
  site_id uuid not null,
  keyword text not null,                                   -- capitals and digits, without accents
  survey_id uuid not null,
  language text not null,
  primary key (site_id, keyword),
  unique (site_id, survey_id, language),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);

-- Surveys being answered by text message. The person is stored only as a keyed hash of the number: each incoming message brings the number
-- itself.
create table text_conversations (
  site_id uuid not null,
  phone_hash bytea not null,
  survey_id uuid not null,
  id uuid not null,                                        -- of the response it becomes
  version integer not null,
  language text not null,
  answers jsonb not null default '{}',
  question text not null,                                  -- the last one asked
  mistakes integer not null default 0,                     -- consecutive
  sealed_phone text,                                       -- only from the last answer until the response is stored
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (site_id, phone_hash, survey_id),
  unique (site_id, id),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);
create index text_conversations_expiry on text_conversations (site_id, expires_at);
create index text_conversations_complete on text_conversations (site_id, updated_at) where sealed_phone is not null;

alter table sms_campaigns
  add column survey_id uuid,                               -- the survey that the campaign's message asks
  add foreign key (site_id, survey_id) references surveys (site_id, id) on delete set null (survey_id);
alter table sms_messages
  add column unnamed boolean not null default false,       -- its number and text are deleted once it is sent
  add column taken_up boolean not null default false;      -- a reply to it has started its survey
create index sms_messages_invitation on sms_messages (site_id, phone, created_at desc) where campaign_id is not null and not taken_up;
create index sms_messages_phone on sms_messages (site_id, phone, created_at desc);
