-- Confirmed phone numbers, and who agreed to what.
create table user_phones (
  site_id uuid not null,
  user_id uuid not null,
  phone text not null,                                     -- E.164
  confirmed_at timestamptz not null,
  primary key (site_id, user_id),
  unique (site_id, phone),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);

-- The confirmation code sent to a person. The code itself is not stored.
create table phone_codes (
  site_id uuid not null,
  user_id uuid not null,
  phone text not null,
  code_hash bytea not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (site_id, user_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);

-- The consent ledger: every yes and no to text messages, with its wording. The latest entry for a number counts. It outlives the account,
-- because a refusal must be remembered.
create table sms_consents (
  site_id uuid not null references sites (id),
  id uuid not null,
  phone text not null,
  user_id uuid,
  given boolean not null,
  words text not null,
  language text not null,
  source text not null,                                    -- account | text
  address text,
  at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, user_id) references users (site_id, id) on delete set null (user_id)
);
create index sms_consents_latest on sms_consents (site_id, phone, at desc, id desc);
