-- Signing in with accounts kept elsewhere (OpenID Connect): the providers of a site, whom their subjects stand for, and who asks to be let in.
create table identity_providers (
  site_id uuid not null references sites (id),
  id uuid not null,
  preset text not null,
  name text not null,                                  -- the brand that people know: "Sign in with <name>"
  audience text not null,                              -- staff | residents
  issuer text not null,
  client_id text not null,
  client_auth text not null,                           -- client-secret | private-key
  sealed_secret text,
  sealed_keys text,                                    -- two private keys, present and next, as sealed JSON
  claims jsonb not null,                               -- names of the claims with the address, the name and the groups
  proves_email boolean not null default false,         -- the addresses that it confirms are believed
  creates_accounts boolean not null default false,
  allowed_domains text[] not null default '{}',
  required_acr text[] not null default '{}',
  state text not null default 'draft',                 -- draft | testing | active | suspended
  maker_id uuid,                                       -- who tests it: nobody else may sign in until it is active
  tested_at timestamptz,                               -- last passed test of the present connection
  created_at timestamptz not null,
  updated_at timestamptz not null,
  lock_version integer not null default 1,
  primary key (site_id, id),
  foreign key (site_id, maker_id) references users (site_id, id) on delete set null (maker_id)
);
create index identity_providers_maker on identity_providers (site_id, maker_id);

-- Roles that members of a group at the provider have here.
create table identity_role_rules (
  site_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  group_name text not null,
  role text not null,                                  -- site_admin | hub_admin | project_admin
  hub_id uuid,
  project_id uuid,
  primary key (site_id, id),
  foreign key (site_id, provider_id) references identity_providers (site_id, id) on delete cascade,
  foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade,
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index identity_role_rules_provider on identity_role_rules (site_id, provider_id);
create index identity_role_rules_hub on identity_role_rules (site_id, hub_id) where hub_id is not null;
create index identity_role_rules_project on identity_role_rules (site_id, project_id) where project_id is not null;

-- Whose account a subject of a provider is.
create table identities (
  site_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  subject text not null,
  user_id uuid not null,
  email text,                                          -- as the provider last said it
  linked_at timestamptz not null,
  last_used_at timestamptz,
  primary key (site_id, id),
  constraint identities_subject unique (site_id, provider_id, subject),
  foreign key (site_id, provider_id) references identity_providers (site_id, id) on delete cascade,
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index identities_user on identities (site_id, user_id);

-- Subjects without an account who wait for an administrator.
create table identity_requests (
  site_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  subject text not null,
  email text,
  name text,
  email_proven boolean not null,
  language text not null,
  asked_at timestamptz not null,
  primary key (site_id, id),
  constraint identity_requests_subject unique (site_id, provider_id, subject),
  foreign key (site_id, provider_id) references identity_providers (site_id, id) on delete cascade
);

-- What an administrator's test of a provider showed.
create table identity_provider_tests (
  site_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  user_id uuid not null,
  at timestamptz not null,
  fault text,
  claims jsonb not null,                               -- what the provider said of the administrator
  primary key (site_id, id),
  foreign key (site_id, provider_id) references identity_providers (site_id, id) on delete cascade,
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index identity_provider_tests_provider on identity_provider_tests (site_id, provider_id, at);
create index identity_provider_tests_user on identity_provider_tests (site_id, user_id);

-- States and tokens that were used, so that none is used twice.
create table used_sign_in_keys (
  site_id uuid not null references sites (id),
  key bytea not null,
  expires_at timestamptz not null,
  primary key (site_id, key)
);

-- A session through a provider: it ends with the link, at the provider's word, and for staff after twelve hours.
alter table sessions add column identity_id uuid;
alter table sessions add column provider_session text;
alter table sessions add column ends_at timestamptz;
alter table sessions add foreign key (site_id, identity_id) references identities (site_id, id) on delete cascade;
create index sessions_identity on sessions (site_id, identity_id) where identity_id is not null;

-- The provider that a role comes from: it counts only in sessions through that provider, and falls away with the group.
alter table memberships add column provider_id uuid;
alter table memberships add foreign key (site_id, provider_id) references identity_providers (site_id, id) on delete cascade;
create index memberships_provider on memberships (site_id, provider_id) where provider_id is not null;
