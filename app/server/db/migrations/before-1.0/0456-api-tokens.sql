-- Tokens with which programs use the API as the person who made them, within scopes and until a date.
create table api_tokens (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,                               -- who made it: a token never may what they may not
  name text not null,
  scopes text[] not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (site_id, id),
  constraint api_tokens_hash unique (site_id, token_hash),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index api_tokens_user on api_tokens (site_id, user_id);
