-- How a provider separates several groups that it sends as one text; `guess` until a test shows it.
alter table identity_providers
  add column group_separator text not null default 'guess' check (group_separator in ('guess', 'none', 'semicolon', 'comma', 'space')),
  -- Of SAML: where the provider describes itself, read again each day; when that last succeeded, and whether the last attempt failed.
  add column metadata_address text,
  add column metadata_read_at timestamptz,
  add column metadata_failed boolean not null default false;

-- The groups as they were read from the claims.
alter table identity_provider_tests add column groups text[] not null default '{}';
