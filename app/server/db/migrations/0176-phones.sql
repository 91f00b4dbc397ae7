-- Phone numbers that people confirmed, and who agreed to what.
create table user_phones (
  site_id uuid not null,
  user_id uuid not null,
  phone text not null,                                     -- E.164
  confirmed_at timestamptz not null,
  primary key (site_id, user_id),
  unique (site_id, phone),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);

-- The one code somebody was sent to confirm a number. It is not kept itself.
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

-- The ledger: every yes and no to texts, with the words it was an answer to. Of a number the latest line counts. It outlives the account,
-- since a no must be kept.
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
