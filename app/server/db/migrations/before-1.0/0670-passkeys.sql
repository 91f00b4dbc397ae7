-- Passkeys as second step of two-step sign-in.
create table passkeys (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  host text not null,                                            -- the site's domain that it was made for (RP ID): it works nowhere else
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,                                       -- of signatures; stays 0 for passkeys that do not count
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (site_id, id),
  constraint passkeys_credential unique (site_id, credential_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index passkeys_user on passkeys (site_id, user_id);

-- What a passkey is asked to sign: once, for one session or one sign-in that waits for its second step.
create table passkey_challenges (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  bound_to uuid not null,                                        -- the session or pending sign-in
  purpose text not null check (purpose in ('add', 'use')),
  challenge text not null,
  expires_at timestamptz not null,
  primary key (site_id, id),
  constraint passkey_challenges_bound unique (site_id, bound_to, purpose),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index passkey_challenges_user on passkey_challenges (site_id, user_id);
