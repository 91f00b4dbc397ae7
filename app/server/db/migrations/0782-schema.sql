-- The schema of Parley 1.0, area by area, as every installation gets it.
--
-- A site's rows: `site_id` comes first in every key, and foreign keys stay inside the site. Row-level security and grants are not written
-- here: after the migrations, `secureTables` (../app-role.ts) gives them to every table except those that ../tenancy.ts lists as global.
--
-- `sealed_…` columns are encrypted with the installation's key; `…_hash` columns cannot be read back. Every change of a row raises its
-- `lock_version`, so that nobody overwrites what they have not seen. The values of most text columns are listed in app/lib/vocabulary.
-- Columns stay in this order, and new ones come last: a backup stores rows by the position of their columns.

-- Names and titles are sorted as readers of a language expect: "Étienne" before "Zainab". A server without ICU sorts by character code.
do $$
declare
  spoken record;
begin
  for spoken in select * from (values ('parley_en', 'en'), ('parley_fr_ca', 'fr-CA'), ('parley_cy', 'cy')) as languages (name, locale) loop
    begin
      execute format('create collation %I (provider = icu, locale = %L)', spoken.name, spoken.locale);
    exception when feature_not_supported or undefined_object then
      execute format('create collation %I from pg_catalog."C"', spoken.name);
    end;
  end loop;
end $$;


-- Sites
-- -----

create table sites (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  status text not null default 'active',          -- active | suspended | platform
  region text not null,                           -- Canada | United Kingdom | Sydney | ...
  locale text not null,
  languages text[] not null,
  time_zone text not null,
  tagline jsonb not null default '{}',
  contact_email text,
  theme jsonb not null default '{}',              -- design tokens of the published appearance
  consent_required boolean not null default false, -- ask before loading analytics and chat
  content_version bigint not null default 1,
  created_at timestamptz not null default now(),
  holidays text not null default 'none',          -- public holidays that are no working days: none | ca | uk-england-wales | ...
  second_step_required_since timestamptz          -- people with a role need two-step sign-in in sessions that begin after it
);

create table site_domains (
  host text primary key,
  site_id uuid not null references sites (id),
  is_primary boolean not null default false,
  id uuid not null default gen_random_uuid() unique -- an address is an API resource
);
create index site_domains_site on site_domains (site_id);

-- Feature switches (app/features/feature-switches/feature-switches.schema.ts): off until the platform or a site turns them on.
create table features (
  name text primary key,
  kind text not null default 'feature',           -- feature (features.features) | site (siteFeatures.siteFeatures)
  enabled boolean not null default false          -- platform default
);

insert into features (name, kind) values
  ('marketplace_sms_integration', 'feature'),
  ('show_revised_survey', 'feature'),
  ('segment_analytics_admin', 'feature'),
  ('segment_analytics_participant', 'feature'),
  ('whitelist-embed', 'site');

create table site_features (
  site_id uuid not null references sites (id),
  name text not null references features (name),
  enabled boolean not null,
  primary key (site_id, name)
);

-- Sites that are to be or have been deleted: the platform's own record, which outlives the site. It holds nothing about a site's people
-- or content.
create table site_deletions (
  id uuid primary key,                            -- the site's own
  name text not null,
  host text,                                      -- its main address when the deletion was requested
  was text not null check (was in ('active', 'suspended')), -- restored if the deletion is cancelled
  reason text not null,
  asked_by uuid not null,
  asked_by_name text not null,
  asked_at timestamptz not null,
  due_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'erasing', 'erased')),
  erased_at timestamptz,
  erased jsonb not null default '{}',             -- number of deleted rows per table, and of deleted files
  export_state text not null default 'waiting' check (export_state in ('waiting', 'running', 'done', 'failed', 'expired')),
  export_attempt uuid,                            -- the attempt that counts; its pieces are stored below this id
  export_alive_at timestamptz,                    -- last heartbeat of its process while it runs
  export_made_at timestamptz,
  export_pieces integer,
  export_bytes bigint,
  export_sha256 text,
  export_rows bigint,
  export_files integer,
  export_expires_at timestamptz
);

-- Platform health, for those who run it: job runs, and for each site counts and failing connections, but nothing about its people or
-- content. Jobs rebuild both tables if they are lost, so they are not backed up.
create unlogged table job_turns (
  name text primary key,
  every_seconds integer not null,
  done_at timestamptz,                            -- end of the last successful run
  took_ms integer,                                -- duration of the last run, successful or not
  failed_at timestamptz,
  failures integer not null default 0             -- consecutive
);

create unlogged table site_figures (
  site_id uuid primary key references sites (id) on delete cascade,
  counted_at timestamptz not null,
  open_projects integer not null,
  participants integer not null,
  responses integer not null,
  aware integer not null,                         -- over the last 30 days, as in the site's own reports
  informed integer not null,
  engaged integer not null,
  connections integer not null,                   -- enabled connections
  failing jsonb not null,                         -- failing connections: kind, service or host, since
  mails_waiting integer not null default 0,       -- because no email service is set up
  mails_waiting_since timestamptz
);

-- Requests counted per key and window.
create table rate_limits (
  site_id uuid not null references sites (id),
  key text not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (site_id, key, window_start)
);


-- Accounts and signing in
-- -----------------------

-- Everybody with an account on a site, participants and administrators alike.
create table users (
  site_id uuid not null references sites (id),
  id uuid not null,
  email text not null,                            -- lower case
  login text not null,                            -- display name
  type text not null default 'participant',       -- participant | administrator
  password_hash text,
  locale text not null default 'en',
  email_confirmed_at timestamptz,
  blocked_at timestamptz,
  blocked_reason text,
  last_seen_at timestamptz,
  marketing_consent_at timestamptz,
  created_at timestamptz not null default now(),
  -- Generated, so that no writer can forget it.
  search_text text not null generated always as (
    translate(lower(login || ' ' || email), 'àâäáãåçéèêëíìîïñóòôöõúùûüýÿŵŷ', 'aaaaaaceeeeiiiinooooouuuuyywy')
  ) stored,
  follow_mails text not null default 'at-once',   -- at-once | daily | weekly | never: mails about followed projects
  second_step_since timestamptz,                  -- set while the person has a second step
  primary key (site_id, id),
  unique (site_id, email)
);
create index users_created on users (site_id, created_at, id);
create index users_seen on users (site_id, last_seen_at desc nulls last, id);
create index users_login_en on users (site_id, (login collate parley_en), id);
create index users_login_fr_ca on users (site_id, (login collate parley_fr_ca), id);
create index users_login_cy on users (site_id, (login collate parley_cy), id);

-- Links in mails that work once.
create table one_time_links (
  site_id uuid not null,
  id uuid not null,
  user_id uuid,                                   -- null: the link that creates the first platform administrator
  purpose text not null,                          -- confirm-email | reset-password | change-email | first-admin
  token_hash bytea not null,
  email text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (site_id, id),
  unique (site_id, token_hash),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index one_time_links_user on one_time_links (site_id, user_id);

-- Signing in with accounts kept elsewhere, by OpenID Connect or SAML: the providers of a site.
create table identity_providers (
  site_id uuid not null references sites (id),
  id uuid not null,
  preset text not null,
  name text not null,                             -- the brand that people know: "Sign in with <name>"
  audience text not null,                         -- staff | residents
  issuer text not null,
  client_id text not null,
  client_auth text not null,                      -- client-secret | private-key
  sealed_secret text,
  sealed_keys text,                               -- two private keys, present and next, as sealed JSON
  claims jsonb not null,                          -- names of the claims with the address, the name and the groups
  proves_email boolean not null default false,    -- the addresses that it confirms are believed
  creates_accounts boolean not null default false,
  allowed_domains text[] not null default '{}',
  required_acr text[] not null default '{}',
  state text not null default 'draft',            -- draft | testing | active | suspended
  maker_id uuid,                                  -- who tests it: nobody else may sign in until it is active
  tested_at timestamptz,                          -- last passed test of the present connection
  created_at timestamptz not null,
  updated_at timestamptz not null,
  lock_version integer not null default 1,
  protocol text not null default 'openid' check (protocol in ('openid', 'saml')),
  sso_url text,                                   -- where SAML sends people to sign in
  certificates text[] not null default '{}',      -- PEM; two while the provider changes its key
  reminded_at timestamptz,                        -- when administrators were last told that its certificates expire
  -- Of SAML: encrypted for a key in sealed_keys, and requests that are signed with one.
  assertion_encryption text not null default 'none' check (assertion_encryption in ('none', 'accepted', 'required')),
  signs_requests boolean not null default false,
  primary key (site_id, id),
  foreign key (site_id, maker_id) references users (site_id, id) on delete set null (maker_id)
);
create index identity_providers_maker on identity_providers (site_id, maker_id);

-- Which account belongs to a subject of a provider.
create table identities (
  site_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  subject text not null,
  user_id uuid not null,
  email text,                                     -- as the provider last said it
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
  claims jsonb not null,                          -- what the provider said of the administrator
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

-- A checked SAML answer, between its arrival from the provider and the browser's own request, which has the cookie of the attempt.
create table saml_answers (
  site_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  sealed_answer text not null,
  expires_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, provider_id) references identity_providers (site_id, id) on delete cascade
);
create index saml_answers_provider on saml_answers (site_id, provider_id);

create table sessions (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  user_agent text,
  address text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  confirmed_at timestamptz not null default now(), -- when the person last proved who they are
  identity_id uuid,                               -- signed in through a provider: the session ends with the link
  provider_session text,                          -- the provider may end it
  ends_at timestamptz,                            -- at the latest; for people with a role 12 hours after sign-in
  primary key (site_id, id),
  unique (site_id, token_hash),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, identity_id) references identities (site_id, id) on delete cascade
);
create index sessions_user on sessions (site_id, user_id);
create index sessions_identity on sessions (site_id, identity_id) where identity_id is not null;

-- Two-step sign-in: an authenticator app and recovery codes.
create table authenticator_apps (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  sealed_key text not null,
  last_used_step bigint not null,                 -- time step of the last accepted code: none is accepted twice
  created_at timestamptz not null,
  primary key (site_id, id),
  constraint authenticator_apps_user unique (site_id, user_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);

create table recovery_codes (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (site_id, id),
  constraint recovery_codes_hash unique (site_id, user_id, code_hash),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);

-- Passkeys as second step of two-step sign-in.
create table passkeys (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  host text not null,                             -- the site's domain that it was made for (RP ID): it works nowhere else
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,                        -- of signatures; stays 0 for passkeys that do not count
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
  bound_to uuid not null,                         -- the session or pending sign-in
  purpose text not null check (purpose in ('add', 'use')),
  challenge text not null,
  expires_at timestamptz not null,
  primary key (site_id, id),
  constraint passkey_challenges_bound unique (site_id, bound_to, purpose),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index passkey_challenges_user on passkey_challenges (site_id, user_id);

-- The password was right and the second step is due. Not a session: it lets nobody do anything but take that step.
create table pending_sign_ins (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (site_id, id),
  constraint pending_sign_ins_token unique (site_id, token_hash),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index pending_sign_ins_user on pending_sign_ins (site_id, user_id);

-- Tokens with which programs use the API as the person who made them, within scopes and until a date.
create table api_tokens (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,                          -- who made it: a token never may what they may not
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


-- Departments and projects
-- ------------------------

-- Departments, each with its own page and projects.
create table hubs (
  site_id uuid not null references sites (id),
  id uuid not null,
  slug text not null,
  title jsonb not null,
  summary jsonb not null default '{}',
  body jsonb not null default '{}',
  picture text,
  picture_alt jsonb not null default '{}',
  contact_email text,
  position integer not null default 0,
  lock_version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search_title text not null default '',
  search_text text not null default '',
  published_at timestamptz default now(),         -- null: a draft
  primary key (site_id, id),
  unique (site_id, slug)
);

create table topics (
  site_id uuid not null references sites (id),
  id uuid not null,
  slug text not null,
  title jsonb not null,
  primary key (site_id, id),
  unique (site_id, slug)
);

create table projects (
  site_id uuid not null references sites (id),
  id uuid not null,
  hub_id uuid,
  topic_id uuid,
  slug text not null,
  title jsonb not null,
  summary jsonb not null default '{}',
  body jsonb not null default '{}',
  status text not null default 'draft',           -- draft | in_review | scheduled | published | archived
  visibility text not null default 'public',      -- public | members | hidden | link
  opens_at timestamptz,
  closes_at timestamptz,
  publish_at timestamptz,
  published_at timestamptz,                       -- set only once, at first publication
  archived_at timestamptz,
  picture text,
  picture_alt jsonb not null default '{}',
  place jsonb,                                    -- { "address": Translated, "lat": number, "lng": number }
  team jsonb not null default '[]',               -- [{ "name": text, "role": Translated, "email": text }]
  outcome jsonb not null default '{}',            -- the decision, once there is one
  search_text text not null default '',           -- normalised words of every text and language
  participants integer not null default 0,
  featured boolean not null default false,
  lock_version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search_title text not null default '',          -- normalised title, which weighs more than other words
  faqs jsonb not null default '[]',               -- [{ question, answer }], each by language
  row_version uuid not null default gen_random_uuid(), -- see renew_row_version
  primary key (site_id, id),
  unique (site_id, slug),
  foreign key (site_id, hub_id) references hubs (site_id, id),
  foreign key (site_id, topic_id) references topics (site_id, id)
);
create index projects_listing on projects (site_id, status, published_at desc);
create index projects_hub on projects (site_id, hub_id);
create index projects_closing on projects (site_id, closes_at);
-- Across sites, for sites_with_work.
create index projects_scheduled on projects (publish_at) where status = 'scheduled';

create table project_dates (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  title jsonb not null,
  detail jsonb not null default '{}',
  happens_at timestamptz not null,
  precision text not null default 'day',          -- time | day | month | season
  position integer not null default 0,
  primary key (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index project_dates_project on project_dates (site_id, project_id, position);

create table project_documents (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  title jsonb not null,
  file text not null,                             -- storage key
  media_type text not null,
  bytes integer not null,
  language text,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  content uuid,                                   -- names the stored file, which copies of a project share; null: elsewhere
  pages integer check (pages > 0),                -- of a PDF that says so
  primary key (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index project_documents_project on project_documents (site_id, project_id, position);
create index project_documents_content on project_documents (site_id, content) where content is not null;

create table project_updates (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  slug text not null,
  title jsonb not null,
  body jsonb not null,
  published_at timestamptz,
  created_by uuid,
  lock_version integer not null default 1,
  created_at timestamptz not null default now(),
  search_title text not null default '',
  search_text text not null default '',
  notified_at timestamptz,                        -- followers are mailed once
  primary key (site_id, id),
  unique (site_id, slug),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index project_updates_project on project_updates (site_id, project_id, published_at desc);
create index project_updates_recent on project_updates (site_id, published_at desc);
create index project_updates_untold on project_updates (site_id, published_at) where notified_at is null;

-- Stages of a project, which may overlap and hold any number of activities.
create table project_stages (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  position integer not null default 0,
  title jsonb not null,
  summary jsonb not null default '{}',
  kind text not null default 'listen',            -- inform | listen | decide | do
  starts_at timestamptz not null,
  ends_at timestamptz,
  lock_version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index project_stages_project on project_stages (site_id, project_id, position);

-- Who may enter a project for members. Somebody invited by email is known only by that address until they first open the project.
create table project_members (
  site_id uuid not null,
  project_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  id uuid not null default gen_random_uuid(),
  opened_at timestamptz default now(),            -- null: invited by email and not yet opened
  primary key (site_id, project_id, user_id),
  constraint project_members_id unique (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index project_members_user on project_members (site_id, user_id);

create table project_follows (
  site_id uuid not null,
  project_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (site_id, project_id, user_id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index project_follows_user on project_follows (site_id, user_id);

-- Projects that people follow by email address, without an account. A row is only written once the address is confirmed.
create table email_follows (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  email text not null,
  locale text not null,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  constraint email_follows_address unique (site_id, project_id, email),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index email_follows_email on email_follows (site_id, email);

-- Updates waiting for a person's next digest.
create table follow_digest_items (
  site_id uuid not null,
  user_id uuid not null,
  update_id uuid not null,
  due_at timestamptz not null,                    -- a morning in the site's zone
  primary key (site_id, user_id, update_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, update_id) references project_updates (site_id, id) on delete cascade
);
create index follow_digest_items_due on follow_digest_items (site_id, due_at);

-- Former addresses, which redirect to the current one.
create table old_addresses (
  site_id uuid not null references sites (id),
  kind text not null,                             -- projects | hubs | pages | project-updates
  slug text not null,
  target_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (site_id, kind, slug)
);
create index old_addresses_target on old_addresses (site_id, kind, target_id);

-- What was rendered from a project may be kept for as long as its row and its dates stay as they are: any change gives it a version that
-- was never used before. By trigger, so that no import, job or later feature can forget it.
create function renew_row_version() returns trigger language plpgsql as $$
begin
  new.row_version := gen_random_uuid();
  return new;
end $$;

create function renew_versions_of_projects() returns trigger language plpgsql as $$
begin
  update projects set row_version = default from (select distinct site_id, project_id from touched) as t
  where projects.site_id = t.site_id and projects.id = t.project_id;
  return null;
end $$;

create trigger renew_row_version before insert or update on projects for each row execute function renew_row_version();
create trigger renew_versions_added after insert on project_dates referencing new table as touched
  for each statement execute function renew_versions_of_projects();
create trigger renew_versions_deleted after delete on project_dates referencing old table as touched
  for each statement execute function renew_versions_of_projects();
create trigger renew_versions_changed after update on project_dates referencing new table as touched
  for each statement execute function renew_versions_of_projects();
create trigger renew_versions_moved after update on project_dates referencing old table as touched
  for each statement execute function renew_versions_of_projects();


-- Roles and groups
-- ----------------

-- Roles and where they apply. Only the column of the role's scope is set; site_admin and platform_admin set none.
create table memberships (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  role text not null,                             -- platform_admin | site_admin | hub_admin | project_admin
  hub_id uuid,
  project_id uuid,
  may_export_personal_data boolean not null default false,
  created_at timestamptz not null default now(),
  provider_id uuid,                               -- the role comes from it, counts only in sessions through it and ends with it
  primary key (site_id, id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade,
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  foreign key (site_id, provider_id) references identity_providers (site_id, id) on delete cascade
);
create index memberships_user on memberships (site_id, user_id);
create index memberships_hub on memberships (site_id, hub_id) where hub_id is not null;
create index memberships_project on memberships (site_id, project_id) where project_id is not null;
create index memberships_provider on memberships (site_id, provider_id) where provider_id is not null;

-- Roles that members of a group at the provider have here.
create table identity_role_rules (
  site_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  group_name text not null,
  role text not null,                             -- site_admin | hub_admin | project_admin
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

-- A site lets the platform's staff in, until a time.
create table support_grants (
  site_id uuid not null references sites (id),
  id uuid not null,
  granted_by uuid not null,
  reason text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (site_id, id)
);

-- Groups and tags of the whole site or of one hub. With a rule, everyone who matches it is a member; without one, members are added by
-- hand.
create table people_groups (
  site_id uuid not null references sites (id),
  id uuid not null,
  hub_id uuid,
  kind text not null default 'group',             -- group | tag
  name text not null,
  rule jsonb,
  lock_version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade
);
create index people_groups_hub on people_groups (site_id, hub_id);

create table people_group_members (
  site_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (site_id, group_id, user_id),
  foreign key (site_id, group_id) references people_groups (site_id, id) on delete cascade,
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index people_group_members_user on people_group_members (site_id, user_id);

-- Web processes remember for a second who a session belongs to and what they may; they hear at once when that changes.
create function tell_people_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_people', coalesce(new.site_id, old.site_id)::text);
  return null;
end $$;

create trigger tell_people_changed after delete or update of confirmed_at on sessions for each row execute function tell_people_changed();
create trigger tell_people_changed after delete or update of email, login, type, email_confirmed_at, blocked_at, second_step_since on users
  for each row execute function tell_people_changed();
create trigger tell_people_changed after insert or delete or update on memberships for each row execute function tell_people_changed();
create trigger tell_people_changed after insert or delete or update on project_members for each row execute function tell_people_changed();
create trigger tell_people_changed after insert or delete or update on support_grants for each row execute function tell_people_changed();


-- Homepages, appearance, pages and media
-- --------------------------------------

-- One revision model for homepages (the site's and each hub's), the appearance and projects: rows that change only when they are published,
-- plus one current draft for each place, named in revision_heads.
create table homepage_revisions (
  site_id uuid not null references sites (id),
  id uuid not null,
  hub_id uuid,
  parent_id uuid,
  content jsonb not null,                         -- { "schema": 1, "blocks": [...] }
  note text not null default '',
  created_by uuid,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  published_by uuid,
  announced_at timestamptz,                       -- when pages were notified of the publication
  waived jsonb not null default '[]',             -- names of texts that were missing when it was published
  primary key (site_id, id),
  foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade
);
create index homepage_revisions_live on homepage_revisions (site_id, hub_id, published_at desc);
-- Across sites, for sites_with_work.
create index homepage_revisions_unannounced on homepage_revisions (published_at) where announced_at is null;

create table appearance_revisions (
  site_id uuid not null references sites (id),
  id uuid not null,
  parent_id uuid,
  tokens jsonb not null,
  note text not null default '',
  created_by uuid,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  hub_id uuid,                                    -- always null for now: hubs look like their site
  published_by uuid,
  announced_at timestamptz,
  waived jsonb not null default '[]',
  primary key (site_id, id)
);
create index appearance_revisions_live on appearance_revisions (site_id, published_at desc);
-- Across sites, for sites_with_work.
create index appearance_revisions_unannounced on appearance_revisions (published_at) where announced_at is null;

-- Versions of what a project says. The published one is also stored in the project's row, which its page reads.
create table project_revisions (
  site_id uuid not null references sites (id),
  id uuid not null,
  project_id uuid check (project_id is not null), -- queries share it with the hub of other versions, which may be null
  parent_id uuid,
  content jsonb not null,                         -- the texts, picture, place, team, FAQs and key dates, named as in the API
  note text not null default '',
  created_by uuid,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  published_by uuid,
  announced_at timestamptz,
  waived jsonb not null default '[]',
  primary key (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index project_revisions_newest on project_revisions (site_id, project_id, created_at desc);
create index project_revisions_live on project_revisions (site_id, project_id, published_at desc);

-- The current draft of each homepage, appearance and project, and whether somebody asked for a review of it.
create table revision_heads (
  site_id uuid not null references sites (id),
  subject text not null check (subject in ('homepage', 'appearance', 'project')),
  scope_id uuid not null,                         -- the hub, or the site itself
  draft_id uuid,
  updated_at timestamptz not null default now(),
  has_changes boolean not null default false,     -- the draft says something else than what is published
  review_requested_at timestamptz,                -- somebody who may not publish asked for it
  review_requested_by uuid,
  primary key (site_id, subject, scope_id)
);

-- Links that show a draft to somebody without an account. The signed link itself is not stored: it is derived from its row.
create table draft_links (
  site_id uuid not null references sites (id),
  id uuid not null,
  subject text not null,
  hub_id uuid,
  note text not null default '',                  -- who it is for
  created_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  project_id uuid,
  primary key (site_id, id),
  constraint draft_links_subject_check
    check (subject in ('homepage', 'appearance', 'project') and (subject = 'project') = (project_id is not null)),
  foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade,
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);

-- Who has an editor open: one row per open window, refreshed every few seconds.
create table editor_presences (
  site_id uuid not null,
  subject text not null check (subject in ('homepage', 'appearance', 'project')),
  scope_id uuid not null,                         -- the hub, or the site itself
  editor_id uuid not null,                        -- the editor's window
  user_id uuid not null,
  seen_at timestamptz not null,
  primary key (site_id, subject, scope_id, editor_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);

-- Sections saved for reuse: a named sequence of blocks.
create table saved_sections (
  site_id uuid not null references sites (id),
  id uuid not null,
  hub_id uuid,                                    -- the hub they belong to, or null for the site
  name text not null,
  content jsonb not null,                         -- as in homepage_revisions
  created_by uuid,
  created_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade
);

create table pages (
  site_id uuid not null references sites (id),
  id uuid not null,
  slug text not null,
  kind text not null default 'page',              -- page | legal
  title jsonb not null,
  body jsonb not null,
  published_at timestamptz,
  position integer not null default 0,
  lock_version integer not null default 1,
  updated_at timestamptz not null default now(),
  search_title text not null default '',
  search_text text not null default '',
  primary key (site_id, id),
  unique (site_id, slug)
);

-- Pictures uploaded by a site's administrators. Files are stored under the site, the asset and its version; a new version is the same asset
-- with different content.
create table media_assets (
  site_id uuid not null references sites (id),
  id uuid not null,
  version integer not null default 1,
  name text not null,                             -- the uploaded file's name
  media_type text not null,                       -- detected from the content
  bytes bigint not null,
  width integer not null,                         -- pixels
  height integer not null,
  focal_x smallint not null default 50,           -- per cent: the point to keep in view when cropping
  focal_y smallint not null default 50,
  alt jsonb not null default '{}',
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  lock_version integer not null default 1,
  primary key (site_id, id)
);
create index media_assets_recent on media_assets (site_id, created_at desc);

-- Uploads in progress: how much of each has arrived, so that it can be resumed.
create table media_uploads (
  site_id uuid not null references sites (id),
  id uuid not null,
  name text not null,
  bytes bigint not null,
  received bigint not null default 0,
  created_by uuid not null,
  created_at timestamptz not null,
  touched_at timestamptz,                         -- last piece received: an upload is deleted after two days without one
  primary key (site_id, id)
);
create index media_uploads_old on media_uploads (site_id, created_at);

-- Domains that a site trusts, in one or both directions.
create table embed_domains (
  site_id uuid not null references sites (id),
  host text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  shows_here boolean not null default true,       -- its pages may be embedded in homepage blocks
  may_frame boolean not null default false,       -- it may embed our pages
  primary key (site_id, host)
);


-- City data and areas
-- -------------------

-- Open data portals that a site copies datasets from.
create table city_connectors (
  site_id uuid not null references sites (id),
  id uuid not null,
  name text not null,
  portal_url text not null,
  kind text not null,
  created_at timestamptz not null default now(),
  language text not null default 'en',
  sealed_token text,
  every_minutes integer not null default 1440,
  failures integer not null default 0,            -- consecutive, across all of its datasets
  paused_until timestamptz,                       -- no requests until then, because the portal keeps failing
  updated_at timestamptz not null default now(),
  lock_version integer not null default 1,
  primary key (site_id, id)
);

-- Datasets, with the state of their copies.
create table city_datasets (
  site_id uuid not null references sites (id),
  id uuid not null,
  connector_id uuid not null,
  project_id uuid,
  slug text not null,
  source_id text not null,                        -- the portal's own id
  title jsonb not null,
  description jsonb not null default '{}',
  publisher text not null default '',
  licence text not null default '',
  licence_url text,
  source_url text,
  source_updated_at timestamptz,
  columns jsonb not null default '[]',            -- every column of the source: type, names by language, whether shown
  row_filter jsonb,                               -- { key, value }: only rows with this value in the column
  chart jsonb,                                    -- { form, label, values }
  published_at timestamptz,
  version integer not null default 0,             -- of the published copy; 0: none yet
  copied_columns jsonb not null default '[]',     -- [{ key, type }]: columns of that copy
  row_count integer not null default 0,
  synchronised_at timestamptz,                    -- when that copy was made
  checked_at timestamptz,                         -- when the portal last confirmed that it is unchanged
  validators jsonb,                               -- entity tag and date that came with that copy
  run jsonb,                                      -- the copy in progress: version, cursor, rows so far
  lease_until timestamptz,                        -- a process works on it until then
  due_at timestamptz default now(),
  failures integer not null default 0,
  last_fault jsonb,                               -- { code, at }
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  lock_version integer not null default 1,
  drawn jsonb,                                    -- { label, values, points, groups } of the published copy, if it is large
  boundaries jsonb,                               -- { name }: the column with the names of areas, if it holds those of the site
  primary key (site_id, id),
  unique (site_id, slug),
  foreign key (site_id, connector_id) references city_connectors (site_id, id) on delete cascade,
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index city_datasets_due on city_datasets (site_id, due_at);
create index city_datasets_project on city_datasets (site_id, project_id);
create unique index city_datasets_boundaries on city_datasets (site_id) where boundaries is not null;

-- Rows of every copy: the published one, and the next one being built beside it. Readers only see rows of a single version.
create table city_dataset_rows (
  site_id uuid not null references sites (id),
  dataset_id uuid not null,
  version integer not null,
  position integer not null,
  cells jsonb not null,                           -- a list, in the order of copied_columns
  words text not null default '',                 -- normalised, for searching
  primary key (site_id, dataset_id, version, position),
  foreign key (site_id, dataset_id) references city_datasets (site_id, id) on delete cascade
);

-- Of large datasets: rows in the order of each column, computed once per copy.
create table city_dataset_orders (
  site_id uuid not null references sites (id),
  dataset_id uuid not null,
  version integer not null,
  key text not null,                              -- of the column
  part integer not null,                          -- a thousand positions each
  positions integer[] not null,                   -- row positions in ascending order of the column; rows without a value last
  filled integer not null,                        -- rows of the whole copy that have a value
  primary key (site_id, dataset_id, version, key, part),
  foreign key (site_id, dataset_id) references city_datasets (site_id, id) on delete cascade
);

-- Of large datasets: words in alphabetical order with their rows, in parts. A full-text index could not be used, because row-level security
-- evaluates its own condition first; comparing plain text finds a part at once.
create table city_dataset_words (
  site_id uuid not null references sites (id),
  dataset_id uuid not null,
  version integer not null,
  part integer not null,                          -- a few thousand places each, in word order
  first_word text collate "C" not null,
  last_word text collate "C" not null,
  words text[] collate "C" not null,
  positions integer[] not null,                   -- of the row with the word at the same index in `words`
  primary key (site_id, dataset_id, version, part),
  foreign key (site_id, dataset_id) references city_datasets (site_id, id) on delete cascade
);

-- Makes a bitmap of rows from their positions.
do $$ begin
  execute format('create aggregate bits_at(bigint, integer) (sfunc = set_bit, stype = bytea, initcond = %L)', '\x' || repeat('00', 1024));
end $$;

-- Of large datasets: words that occur in many rows, each with a bitmap of its rows, so that two of them can be combined at once.
create table city_dataset_common_words (
  site_id uuid not null references sites (id),
  dataset_id uuid not null,
  version integer not null,
  beginning text collate "C" not null,            -- prefix of words, as short as possible; a whole word ends in a space
  longest text collate "C" not null,              -- the longest prefix of the same words
  row_bits bytea not null,                        -- bit n is the row at position n, least significant bit first
  primary key (site_id, dataset_id, version, beginning),
  foreign key (site_id, dataset_id) references city_datasets (site_id, id) on delete cascade
);

-- Areas of a site, such as its wards, taken from one of its datasets. Projects are located in them, and people may say which one they live
-- in.
create table areas (
  site_id uuid not null references sites (id),
  id uuid not null,
  dataset_id uuid not null,
  slug text not null,
  name text not null,
  rings jsonb not null,                           -- lists of [longitude, latitude]; a point inside an odd number of them is inside
  postcodes text[] not null default '{}',         -- or prefixes, in capitals without spaces
  gone_at timestamptz,                            -- no longer in its source: kept, for its projects and residents, until removed by hand
  primary key (site_id, id),
  unique (site_id, slug),
  foreign key (site_id, dataset_id) references city_datasets (site_id, id) on delete cascade
);

create table project_areas (
  site_id uuid not null,
  project_id uuid not null,
  area_id uuid not null,
  primary key (site_id, project_id, area_id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  foreign key (site_id, area_id) references areas (site_id, id) on delete cascade
);
create index project_areas_area on project_areas (site_id, area_id);

create table home_areas (
  site_id uuid not null,
  user_id uuid not null,
  area_id uuid not null,
  consented_at timestamptz not null,
  news_consented_at timestamptz,                  -- the area may select the person for newsletters and text messages
  primary key (site_id, user_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, area_id) references areas (site_id, id) on delete cascade
);
-- Residents of an area, for results filtered by area.
create index home_areas_area on home_areas (site_id, area_id);


-- Surveys
-- -------

create table surveys (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  slug text not null,
  title jsonb not null,
  intro jsonb not null default '{}',
  thanks jsonb not null default '{}',
  status text not null default 'draft',           -- draft | published | archived
  access text not null default 'anyone',          -- anyone | anyone_once | signed_in | confirmed | members | group | invited | verified
  anonymous boolean not null default false,       -- no account and no address stored with a response
  variant text not null default 'site',           -- site | classic | revised
  results_public boolean not null default false,
  opens_at timestamptz,
  closes_at timestamptz,
  minutes integer,
  definition jsonb not null,                      -- the draft definition
  published_version integer,
  lock_version integer not null default 1,
  responses_count integer not null default 0,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  group_id uuid,                                  -- if access is group
  has_opened boolean not null default false,      -- before its opening was postponed: what people were promised then still applies
  changeable boolean not null default true,       -- people may edit a submitted response while the survey is open
  responses_numbered integer not null default 0,  -- responses that have a number
  search_title text not null default '',
  search_text text not null default '',
  imported_from text,
  verification jsonb,                             -- { level, list }, if access is verified; null: residents, by any list
  primary key (site_id, id),
  unique (site_id, project_id, slug),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  foreign key (site_id, group_id) references people_groups (site_id, id) on delete set null (group_id)
);
create index surveys_project on surveys (site_id, project_id, position);

-- Published definitions: a response is read by the version it was given to.
create table survey_versions (
  site_id uuid not null,
  survey_id uuid not null,
  number integer not null,
  definition jsonb not null,
  published_by uuid,
  published_at timestamptz not null default now(),
  primary key (site_id, survey_id, number),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);

-- What each part of the file that a survey was created from has become.
create table survey_imports (
  site_id uuid not null,
  survey_id uuid not null,
  format text not null check (format in ('parley', 'surveyjs', 'xlsform', 'limesurvey')),
  report jsonb not null,
  created_at timestamptz not null,
  primary key (site_id, survey_id),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);

-- Keywords that start a survey by text message, each in one language. A survey with any keyword accepts text messages.
create table survey_keywords (
  site_id uuid not null,
  keyword text not null,                          -- capitals and digits, without accents
  survey_id uuid not null,
  language text not null,
  primary key (site_id, keyword),
  unique (site_id, survey_id, language),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);

-- Questions saved for reuse in other surveys of the site. Each is a question from a definition, without its logic, which belongs to the
-- original survey. Standard questions about people are part of the product and have no rows.
create table bank_questions (
  site_id uuid not null references sites (id),
  id uuid not null,
  survey_id uuid,
  question jsonb not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete set null (survey_id)
);


-- Responses
-- ---------

create table responses (
  site_id uuid not null,
  id uuid not null,                               -- made by the client, so that a retry stores nothing twice
  survey_id uuid not null,
  version integer not null,
  user_id uuid,
  language text not null,
  source text not null default 'web',
  answers jsonb not null,                         -- { questionId: value }
  receipt_hash bytea not null,                    -- hash of the code on the participant's receipt
  submitted_at timestamptz not null default now(),
  edited_at timestamptz,
  withdrawn_at timestamptz,
  seconds integer,
  doubt text,                                     -- rate | haste: accepted, because many people may share an address, but to be checked
  edit_id uuid,                                   -- the submission that last changed it: repeating it returns the same receipt
  edit_receipt text,
  number integer,                                 -- in the order they were stored, for survey_blocks
  primary key (site_id, id),
  unique (site_id, receipt_hash),
  foreign key (site_id, survey_id) references surveys (site_id, id),
  foreign key (site_id, user_id) references users (site_id, id)
);
create index responses_survey on responses (site_id, survey_id, submitted_at desc, id);
create index responses_user on responses (site_id, user_id) where user_id is not null;
create index responses_edit on responses (site_id, edit_id) where edit_id is not null;
create index responses_number on responses (site_id, survey_id, number);
-- Across surveys, for the number of responses since a given day.
create index responses_time on responses (site_id, submitted_at);
-- Who responded to which survey, for the people of a hub, even with surveys of hundreds of thousands of responses.
create index responses_people on responses (site_id, survey_id, user_id) where user_id is not null;
-- Whether responses were edited or withdrawn since a snapshot of results.
create index responses_edited on responses (site_id, survey_id, edited_at) where edited_at is not null;
create index responses_withdrawn on responses (site_id, survey_id, withdrawn_at) where withdrawn_at is not null;

-- Responses begun and not yet submitted.
create table response_drafts (
  site_id uuid not null,
  id uuid not null,                               -- made by the client; becomes the response's id
  survey_id uuid not null,
  version integer not null,
  user_id uuid,
  language text not null,
  answers jsonb not null,
  resume_hash bytea,
  started_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  replaces uuid,                                  -- the response that this draft edits
  receipt_sealed text,
  primary key (site_id, id),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade,
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, replaces) references responses (site_id, id) on delete cascade
);
create index response_drafts_replaces on response_drafts (site_id, replaces) where replaces is not null;
-- For deleting abandoned drafts.
create index response_drafts_updated on response_drafts (site_id, updated_at);

-- Files uploaded with answers, stored under the site and their id. A file belongs to the submission it was uploaded with, and so to the
-- draft and response with that id; once neither refers to it, it is swept. Until then it outlives its survey, so that every file in storage
-- has a row.
create table response_files (
  site_id uuid not null references sites (id),
  id uuid not null,
  survey_id uuid not null,
  question text not null,
  held_by uuid not null,                          -- the submission, draft or response
  key_hash bytea not null,                        -- hash of the key that only its sender knows
  name text not null,                             -- sanitised; a number if the survey is anonymous
  media_type text not null,                       -- detected from the content
  bytes bigint not null,
  touched_at timestamptz not null,
  sent_at timestamptz,                            -- counts towards the site's storage from then on, until then towards its sender's budget
  giver_hash bytea,                               -- keyed hash of the network address, until it is submitted
  primary key (site_id, id)
);
create index response_files_held on response_files (site_id, held_by);
create index response_files_old on response_files (site_id, touched_at);
create index response_files_unsent on response_files (site_id, survey_id) where sent_at is null;
create index response_files_unsent_of_giver on response_files (site_id, giver_hash) where sent_at is null;

-- Who has responded to a survey that allows one response each: a keyed hash of the account or the browser, never stored beside the
-- response, so that an anonymous response cannot be traced to anybody.
create table survey_participations (
  site_id uuid not null,
  survey_id uuid not null,
  person_hash bytea not null,
  primary key (site_id, survey_id, person_hash),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);

-- Number of responses per quota, counted in the transaction that stores the response, so that two concurrent responses cannot both take the
-- last place. Which quotas a response counts towards follows from its answers and version: a withdrawn response gives its place back.
create table survey_quotas (
  site_id uuid not null,
  survey_id uuid not null,
  quota_id text not null,
  taken integer not null default 0,
  primary key (site_id, survey_id, quota_id),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);

-- Tags that readers give to written answers: a name on one answer to one question. A tag exists as long as an answer has it.
create table answer_tags (
  site_id uuid not null,
  survey_id uuid not null,
  question text not null,
  tag text not null,
  response_id uuid not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (site_id, survey_id, question, tag, response_id),
  foreign key (site_id, response_id) references responses (site_id, id) on delete cascade
);
create index answer_tags_response on answer_tags (site_id, response_id);

-- Surveys being answered by text message. The person is stored only as a keyed hash of the number: each incoming message brings the number
-- itself.
create table text_conversations (
  site_id uuid not null,
  phone_hash bytea not null,
  survey_id uuid not null,
  id uuid not null,                               -- of the response it becomes
  version integer not null,
  language text not null,
  answers jsonb not null default '{}',
  question text not null,                         -- the last one asked
  mistakes integer not null default 0,            -- consecutive
  sealed_phone text,                              -- only from the last answer until the response is stored
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (site_id, phone_hash, survey_id),
  unique (site_id, id),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);
create index text_conversations_expiry on text_conversations (site_id, expires_at);
create index text_conversations_complete on text_conversations (site_id, updated_at) where sealed_phone is not null;


-- Results
-- -------

-- Answer tallies, updated as responses arrive, so that results cost the same however many there are. They are derived from `responses` and
-- can be rebuilt. Question '' holds counts of whole responses; its value '' says that the survey is counted at all.
create table survey_counts (
  site_id uuid not null,
  survey_id uuid not null,
  question text not null,
  value text not null,
  count integer not null default 0,
  total double precision not null default 0,
  primary key (site_id, survey_id, question, value),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);

-- Full blocks of 8,192 numbered responses are also stored as bitmaps: one per answer value, with a 1 for each response that gave it. A
-- subset of responses is then counted by combining bitmaps instead of reading every answer. They are derived from `responses` and built in
-- the background. A block with an edited or withdrawn response is deleted in the same transaction and rebuilt.
create table survey_blocks (
  site_id uuid not null,
  survey_id uuid not null,
  block integer not null,
  complete boolean not null default false,        -- false while it is being built
  first_at timestamptz,                           -- of its responses; null if all were withdrawn
  last_at timestamptz,
  primary key (site_id, survey_id, block),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);

create table survey_block_bits (
  site_id uuid not null,
  survey_id uuid not null,
  block integer not null,
  question text not null,
  value text not null,
  digit smallint not null,                        -- -1: who gave it; else a binary digit of the number given
  weight double precision not null,               -- what each 1 adds to the total
  bits bit(8192) not null,
  primary key (site_id, survey_id, block, question, value, digit),
  foreign key (site_id, survey_id, block) references survey_blocks (site_id, survey_id, block) on delete cascade
);

-- A survey's published figures: a snapshot that is shown until at least five more people have responded and an hour has passed.
create table survey_publications (
  site_id uuid not null,
  survey_id uuid not null,
  part text not null default '',                  -- '' for everybody; otherwise `area:` and an area's id
  counted_at timestamptz not null,
  first_number integer not null,                  -- responses from this number on are not counted yet
  closed boolean not null,                        -- the survey was already closed at the time
  exact jsonb not null,                           -- exact counts: never shown
  counts jsonb not null,                          -- published counts, which move in steps of five
  shown jsonb not null,                           -- with small counts suppressed
  primary key (site_id, survey_id, part),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);

-- Response exports generated in the background. The file itself stays in DATA_DIR until it expires.
create table survey_exports (
  site_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  created_by uuid,
  format text not null check (format in ('csv', 'xlsx', 'json', 'spss')),
  personal boolean not null default false,
  language text not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  total integer not null,                         -- responses at the time of the request
  done integer not null default 0,
  bytes bigint,
  created_at timestamptz not null,
  alive_at timestamptz,                           -- last heartbeat of its process while it runs
  finished_at timestamptz,
  expires_at timestamptz not null,
  lease uuid,                                     -- of the worker that makes it; one that was given up must not finish it as well
  primary key (site_id, id),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);
create index survey_exports_due on survey_exports (site_id, created_at) where state in ('waiting', 'running');

-- Open results: written answers that somebody has read and approved.
create table open_answers (
  site_id uuid not null,
  survey_id uuid not null,
  response_id uuid not null,
  question text not null,
  text_hash bytea not null,                       -- hash of the text as approved: a changed text is not approved
  approved_at timestamptz not null,
  primary key (site_id, response_id, question),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade,
  foreign key (site_id, response_id) references responses (site_id, id) on delete cascade
);
create index open_answers_survey on open_answers (site_id, survey_id);

-- Open results: every published version.
create table open_result_versions (
  site_id uuid not null,
  survey_id uuid not null,
  version text not null,                          -- as in its address
  questions_version integer not null,
  counted_at timestamptz not null,                -- responses up to then are counted
  made_at timestamptz not null,
  responses integer not null,
  lines jsonb not null,                           -- by language, as published
  texts jsonb not null default '[]',              -- [{ response, question }]: approved then, shown while they still are
  areas jsonb not null default '[]',              -- [{ area, name, responses }]: how many respondents live in each
  primary key (site_id, survey_id, version),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);


-- Activities and contributions
-- ----------------------------

-- Where people contribute: idea walls, maps, questions. Surveys have their own table.
create table activities (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  stage_id uuid,
  kind text not null,                             -- the name of a folder in features/contributions/kinds
  slug text not null,
  title jsonb not null,
  intro jsonb not null default '{}',
  status text not null default 'draft',           -- draft | published | archived
  opens_at timestamptz,
  closes_at timestamptz,
  post_access text not null default 'anyone_once', -- as surveys.access, without invited
  react_access text not null default 'anyone_once',
  group_id uuid,
  moderation text not null default 'before',      -- before | after
  settings jsonb not null default '{}',
  position integer not null default 0,
  has_opened boolean not null default false,
  numbered integer not null default 0,            -- contributions that were given a number
  lock_version integer not null default 1,
  search_title text not null default '',
  search_text text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  fields jsonb not null default '[]',             -- extra questions
  layers integer not null default 0,              -- number of visible map layers
  news_until timestamptz not null default now(),  -- followers were told of contributions up to then, or have them in a digest
  primary key (site_id, id),
  unique (site_id, project_id, slug),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  foreign key (site_id, stage_id) references project_stages (site_id, id) on delete set null (stage_id)
);
create index activities_stage on activities (site_id, stage_id);

create table contribution_statuses (
  site_id uuid not null,
  id uuid not null,
  activity_id uuid not null,
  code text,                                      -- of those every activity starts with
  title jsonb not null,
  position integer not null default 0,
  needs_text boolean not null default false,
  archived boolean not null default false,        -- no longer offered; contributions that have it keep it
  lock_version integer not null default 1,
  primary key (site_id, id),
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade
);
create index contribution_statuses_activity on contribution_statuses (site_id, activity_id, position);

-- A reaction changes `supports` and nothing else. With no index on it and some room on each page, the row is rewritten without touching the
-- indexes; they need not sort by support, because one activity has few enough contributions.
create table contributions (
  site_id uuid not null,
  id uuid not null,                               -- made by the sender
  activity_id uuid not null,
  number integer not null,
  author_id uuid,
  shown_as text not null default 'anonymous',     -- name | first_name | resident | anonymous
  shown_name text not null default '',
  language text not null,
  title text not null,
  body text not null,
  categories text[] not null default '{}',        -- ids in the activity's settings
  place_text text not null default '',
  area_id uuid,
  source text not null default 'web',             -- web | staff | paper | phone | email | event | text
  state text not null,                            -- held | published | merged | declined | removed | withdrawn | erased
  reason text not null default '',                -- in words, for the author and for people who follow an old link
  version integer not null default 1,
  status_id uuid,
  supports integer not null default 0,            -- who supports or agrees
  replies_count integer not null default 0,       -- published ones
  receipt_hash bytea not null,
  doubt text,                                     -- rate
  submitted_at timestamptz not null default now(),
  edited_at timestamptz,
  published_at timestamptz,
  decided_at timestamptz,
  decided_by uuid,
  search_title text not null default '',          -- empty unless it is published
  search_text text not null default '',
  geometry jsonb,                                 -- Point, LineString or Polygon in WGS 84
  lng double precision,                           -- where the pin is
  lat double precision,
  assignee_id uuid,                               -- who of the team answers
  due_at timestamptz,                             -- of a question: its last working day ends
  answered text,                                  -- public | private; empty until a question is answered
  merged_into uuid,                               -- a duplicate keeps its row and its address, and names the other
  fields jsonb not null default '{}',             -- answers to the extra questions, by their ids
  disagrees integer not null default 0,
  primary key (site_id, id),
  unique (site_id, activity_id, number),
  constraint contributions_pin check ((geometry is null) = (lng is null) and (lng is null) = (lat is null)),
  constraint contributions_answered check (answered in ('public', 'private')),
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade,
  foreign key (site_id, author_id) references users (site_id, id) on delete set null (author_id),
  foreign key (site_id, area_id) references areas (site_id, id) on delete set null (area_id),
  foreign key (site_id, status_id) references contribution_statuses (site_id, id) on delete set null (status_id),
  foreign key (site_id, assignee_id) references users (site_id, id) on delete set null (assignee_id),
  constraint contributions_merged_into foreign key (site_id, merged_into) references contributions (site_id, id)
    on delete set null (merged_into)
) with (fillfactor = 80);
create index contributions_published on contributions (site_id, activity_id, published_at desc) where state = 'published';
create index contributions_held on contributions (site_id, submitted_at) where state = 'held';
create index contributions_author on contributions (site_id, author_id) where author_id is not null;
create index contributions_receipt on contributions (site_id, receipt_hash);
create index contributions_due on contributions (site_id, due_at) where due_at is not null and answered is null;
create index contributions_assignee on contributions (site_id, assignee_id) where assignee_id is not null;
create index contributions_merged on contributions (site_id, merged_into) where merged_into is not null;
-- The map counts places from the index itself.
create index contributions_placed on contributions (site_id, activity_id, lng, lat) include (id, number)
  where state = 'published' and lng is not null;
-- For reach, which counts the people who took part each day.
create index contributions_submitted on contributions (site_id, submitted_at);
create index contributions_status on contributions (site_id, status_id) where status_id is not null;

-- Former texts of contributions that were edited.
create table contribution_versions (
  site_id uuid not null,
  id uuid not null,
  contribution_id uuid not null,
  number integer not null,
  title text not null,
  body text not null,
  was_public boolean not null default false,      -- others never see a text that was replaced before it was published
  created_at timestamptz not null default now(),
  fields jsonb not null default '{}',
  primary key (site_id, id),
  unique (site_id, contribution_id, number),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade
);

-- Photos of contributions, stored under the site and their id, re-encoded in two widths. A photo belongs to the sending it was uploaded
-- with, which becomes the contribution; a photo that was not sent within a day is swept. A row outlives its photo, so that its address can
-- say that it is gone.
create table contribution_photos (
  site_id uuid not null references sites (id),
  id uuid not null,                               -- random: it cannot be guessed
  activity_id uuid not null,
  held_by uuid not null,                          -- the sending, and the contribution
  key_hash bytea not null,                        -- hash of the key that only its sender knows
  position integer not null default 0,
  alt text not null default '',
  width integer not null,                         -- of the wider one
  height integer not null,
  bytes bigint not null,                          -- of both; 0 once they are deleted
  touched_at timestamptz not null,
  sent_at timestamptz,
  gone_at timestamptz,                            -- its contribution was withdrawn or erased
  giver_hash bytea,                               -- keyed hash of the network address; none once it is sent
  browser_hash bytea,                             -- keyed hash of the browser's secret, which sees the photo before it is sent
  removed_at timestamptz,                         -- removed without the text; the file is kept as long as masked_originals
  removed_as text,                                -- the code of the rule
  primary key (site_id, id),
  check ((removed_at is null) = (removed_as is null))
);
create index contribution_photos_held on contribution_photos (site_id, held_by, position);
create index contribution_photos_unsent on contribution_photos (site_id, activity_id) where sent_at is null;
create index contribution_photos_unsent_of_giver on contribution_photos (site_id, giver_hash) where sent_at is null;

-- Contributions that say the same or belong together.
create table contribution_links (
  site_id uuid not null,
  id uuid not null,
  contribution_id uuid not null,
  target_id uuid not null,
  kind text not null check (kind in ('duplicate_of', 'related')),
  reason text not null default '',                -- to authors and supporters
  supports_before integer not null default 0,     -- of the contribution
  target_supports_before integer not null default 0,
  target_supports_after integer not null default 0,
  created_by uuid,
  created_at timestamptz not null default now(),
  told_until uuid,                                -- accounts up to this id have been told
  told_at timestamptz,                            -- all of them have
  objection text not null default '',             -- of the author
  objected_at timestamptz,
  ended_at timestamptz,
  ended_by uuid,
  end_reason text not null default '',
  objection_answer text not null default '',      -- to the author, if the two stay merged
  objection_answered_at timestamptz,
  primary key (site_id, id),
  check (contribution_id <> target_id),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, target_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, created_by) references users (site_id, id) on delete set null (created_by),
  foreign key (site_id, ended_by) references users (site_id, id) on delete set null (ended_by)
);
create unique index contribution_links_duplicate on contribution_links (site_id, contribution_id)
  where kind = 'duplicate_of' and ended_at is null;
create unique index contribution_links_related on contribution_links
  (site_id, least(contribution_id, target_id), greatest(contribution_id, target_id)) where kind = 'related' and ended_at is null;
create index contribution_links_target on contribution_links (site_id, target_id);
create index contribution_links_untold on contribution_links (site_id, created_at)
  where kind = 'duplicate_of' and told_at is null and ended_at is null;

-- Who is told when the team answers a contribution.
create table contribution_follows (
  site_id uuid not null,
  contribution_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (site_id, contribution_id, user_id),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index contribution_follows_user on contribution_follows (site_id, user_id);

-- Support for a contribution, or agreement and disagreement, once per person.
create table reactions (
  site_id uuid not null,
  id uuid not null,                               -- made by the sender
  contribution_id uuid not null,
  person_hash bytea not null,                     -- keyed, and different in each activity
  by_account boolean not null,
  value text not null default 'support',
  created_at timestamptz not null default now(),
  tell_user_id uuid,                              -- asked the same and is told of the answer; null once told
  changed_at timestamptz,                         -- when the person changed their mind
  primary key (site_id, id),
  unique (site_id, contribution_id, person_hash),
  constraint reactions_value check (value in ('support', 'agree', 'disagree')),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, tell_user_id) references users (site_id, id) on delete set null (tell_user_id)
);
create index reactions_person on reactions (site_id, person_hash);
create index reactions_tell on reactions (site_id, tell_user_id) where tell_user_id is not null;

create table replies (
  site_id uuid not null,
  id uuid not null,                               -- made by the sender
  contribution_id uuid not null,
  author_id uuid,
  role text not null default 'person',            -- person | addition | official
  shown_name text not null default '',
  language text not null,
  body text not null,
  state text not null,                            -- as of contributions
  reason text not null default '',
  receipt_hash bytea not null,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid,
  version integer not null default 1,             -- of the text: masked passages are named by their place in it
  primary key (site_id, id),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, author_id) references users (site_id, id) on delete set null (author_id)
);
create index replies_contribution on replies (site_id, contribution_id, created_at);
create index replies_held on replies (site_id, created_at) where state = 'held';
create index replies_author on replies (site_id, author_id) where author_id is not null;
-- For reach, as above.
create index replies_created on replies (site_id, created_at);

-- The team's answers.
create table official_responses (
  site_id uuid not null,
  id uuid not null,
  contribution_id uuid not null,
  status_id uuid,
  text jsonb not null default '{}',
  team jsonb not null default '{}',
  version integer not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  visibility text not null default 'public',      -- public | private: for the author only
  told_until uuid,                                -- everybody up to this account knows
  told_at timestamptz,                            -- everybody knows
  primary key (site_id, id),
  unique (site_id, contribution_id, version),
  constraint official_responses_visibility check (visibility in ('public', 'private')),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, status_id) references contribution_statuses (site_id, id) on delete set null (status_id)
);
create index official_responses_untold on official_responses (site_id, created_at) where told_at is null and visibility = 'public';
create index official_responses_status on official_responses (site_id, status_id) where status_id is not null;

-- What a council puts behind the pins of a map: cycle routes, flood zones, bus stops.
create table map_layers (
  site_id uuid not null references sites (id),
  id uuid not null,
  activity_id uuid not null,
  number integer not null,                        -- in its address
  position integer not null default 0,
  name jsonb not null,
  pattern text not null,
  visible boolean not null default true,
  bytes bigint not null,                          -- of the file that was uploaded
  converted_from text,                            -- the grid of its coordinates, if they were not degrees
  features integer not null,
  box double precision[] not null,                -- west, south, east, north
  shapes jsonb not null,                          -- one for each feature, simplified
  is_simplified boolean not null,
  columns text[] not null,
  rows jsonb not null,                            -- one for each feature: a text for each column
  lock_version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, activity_id, number),
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade
);

-- Activities with new contributions, waiting for a person's next digest.
create table contribution_digest_items (
  site_id uuid not null,
  user_id uuid not null,
  activity_id uuid not null,
  since timestamptz not null,                     -- contributions published after it are new to the person
  due_at timestamptz not null,                    -- a morning in the site's zone
  primary key (site_id, user_id, activity_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade
);
create index contribution_digest_items_due on contribution_digest_items (site_id, due_at);

-- The same as contribution_digest_items, for those who follow a project by email address only.
create table email_digest_items (
  site_id uuid not null,
  follow_id uuid not null,
  activity_id uuid not null,
  since timestamptz not null,                     -- contributions published after it are new to the follower
  due_at timestamptz not null,                    -- a Monday morning in the site's zone
  primary key (site_id, follow_id, activity_id),
  foreign key (site_id, follow_id) references email_follows (site_id, id) on delete cascade,
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade
);
create index email_digest_items_due on email_digest_items (site_id, due_at);


-- Moderation
-- ----------

-- Why something may be declined, held or removed, in words that everybody can read. A site without rows has the default ones.
create table moderation_rules (
  site_id uuid not null,
  id uuid not null,
  code text not null,
  position integer not null default 0,
  label jsonb not null,
  explanation jsonb not null default '{}',
  version integer not null default 1,             -- of its words
  archived boolean not null default false,        -- not offered for new decisions
  lock_version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, code),
  foreign key (site_id) references sites (id) on delete cascade
);

-- Decisions name the words that applied then.
create table moderation_rule_versions (
  site_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  number integer not null,
  label jsonb not null,
  explanation jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, rule_id, number),
  foreign key (site_id, rule_id) references moderation_rules (site_id, id) on delete cascade
);

create table moderation_cases (
  site_id uuid not null,
  id uuid not null,
  contribution_id uuid not null,
  reply_id uuid,                                  -- set if the case is about a reply to the contribution
  version integer not null default 1,             -- of the text that somebody looks at
  opened_by text not null,                        -- before | report | staff | personal-data | words | rate
  state text not null default 'open',             -- open | decided | appealed | closed
  opened_at timestamptz not null default now(),
  due_at timestamptz not null,
  decided_at timestamptz,
  held_at timestamptz,                            -- when reports took the text off the site
  held_until timestamptz,                         -- when it comes back by itself; null once it did
  assignee_id uuid,                               -- who of the team decides it
  primary key (site_id, id),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, reply_id) references replies (site_id, id) on delete cascade,
  foreign key (site_id, assignee_id) references users (site_id, id) on delete set null (assignee_id)
);
create index moderation_cases_due on moderation_cases (site_id, due_at) where state = 'open';
create unique index moderation_cases_open on moderation_cases
  (site_id, contribution_id, coalesce(reply_id, '00000000-0000-0000-0000-000000000000')) where state = 'open';
create index moderation_cases_held on moderation_cases (site_id, held_until) where state = 'open' and held_until is not null;
create index moderation_cases_assignee on moderation_cases (site_id, assignee_id) where assignee_id is not null;

create table moderation_decisions (
  site_id uuid not null,
  id uuid not null,
  case_id uuid not null,
  decision text not null,                         -- keep | publish | hold | decline | remove | restore | mask | unmask
  rule_id uuid,
  rule_version integer,
  words text not null default '',                 -- to the author
  automatic boolean not null default false,       -- made by a rule, not by a person
  decided_by uuid,
  decided_at timestamptz not null default now(),
  before jsonb,                                   -- what it changed: it can be undone for a few seconds, and mails about it wait as long
  primary key (site_id, id),
  foreign key (site_id, case_id) references moderation_cases (site_id, id) on delete cascade,
  foreign key (site_id, rule_id) references moderation_rules (site_id, id) on delete cascade,
  foreign key (site_id, decided_by) references users (site_id, id) on delete set null (decided_by)
);
create index moderation_decisions_case on moderation_decisions (site_id, case_id, decided_at);
create index moderation_decisions_rule on moderation_decisions (site_id, rule_id);

-- Readers report what they think breaks a rule. Reports name nobody but an account that asked to be told, and then only to moderators.
create table moderation_reports (
  site_id uuid not null,
  id uuid not null,
  case_id uuid not null,
  contribution_id uuid not null,
  reply_id uuid,                                  -- set if the reply was reported
  version integer not null,                       -- of the text that was reported
  person_hash bytea not null,                     -- as in reactions
  by_account boolean not null,
  reporter_id uuid,                               -- to be told what was decided
  rule_id uuid not null,
  rule_version integer not null,
  words text not null default '',
  created_at timestamptz not null default now(),
  told_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, case_id) references moderation_cases (site_id, id) on delete cascade,
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, reply_id) references replies (site_id, id) on delete cascade,
  foreign key (site_id, rule_id) references moderation_rules (site_id, id) on delete cascade,
  foreign key (site_id, reporter_id) references users (site_id, id) on delete set null (reporter_id)
);
create unique index moderation_reports_person on moderation_reports
  (site_id, contribution_id, coalesce(reply_id, '00000000-0000-0000-0000-000000000000'), version, person_hash);
create index moderation_reports_case on moderation_reports (site_id, case_id);
create index moderation_reports_rule on moderation_reports (site_id, rule_id);
create index moderation_reports_reply on moderation_reports (site_id, reply_id) where reply_id is not null;
create index moderation_reports_reporter on moderation_reports (site_id, reporter_id) where reporter_id is not null;
create index moderation_reports_untold on moderation_reports (site_id, case_id) where told_at is null and reporter_id is not null;

-- A decision that somebody asks another person to look at again: once for the author, once for those who reported.
create table moderation_appeals (
  site_id uuid not null,
  id uuid not null,
  case_id uuid not null,
  decision_id uuid not null,
  appellant text not null check (appellant in ('author', 'reporter')),
  appellant_id uuid,                              -- an account that is told the outcome
  words text not null,
  state text not null default 'pending' check (state in ('pending', 'upheld', 'overturned', 'closed')),
  answer text not null default '',                -- to the person who appealed
  created_at timestamptz not null default now(),
  decided_by uuid,
  decided_at timestamptz,
  primary key (site_id, id),
  unique (site_id, decision_id),
  unique (site_id, case_id, appellant),
  foreign key (site_id, case_id) references moderation_cases (site_id, id) on delete cascade,
  foreign key (site_id, decision_id) references moderation_decisions (site_id, id) on delete cascade,
  foreign key (site_id, appellant_id) references users (site_id, id) on delete set null (appellant_id),
  foreign key (site_id, decided_by) references users (site_id, id) on delete set null (decided_by)
);
create index moderation_appeals_pending on moderation_appeals (site_id, created_at) where state = 'pending';
create index moderation_appeals_appellant on moderation_appeals (site_id, appellant_id) where appellant_id is not null;

-- A site without a row has the default.
create table moderation_settings (
  site_id uuid primary key references sites (id) on delete cascade,
  -- Reports by confirmed accounts that take a text off the site; null: no number of them does.
  reports_to_hold integer check (reports_to_hold between 2 and 50),
  lock_version integer not null default 1,
  updated_at timestamptz not null default now(),
  originals_kept_months integer not null default 12 check (originals_kept_months between 2 and 60)
);

-- Words that a moderator should see, one list per language. A site without rows has the default lists.
create table moderation_word_lists (
  site_id uuid not null,
  id uuid not null,
  language text not null,
  held text[] not null default '{}',              -- not published before a moderator has decided
  flagged text[] not null default '{}',           -- a moderator looks at it
  lock_version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, language),
  foreign key (site_id) references sites (id) on delete cascade
);

-- What a text said before a moderator removed passages from it. Its row, its versions and the search have the text without them.
create table masked_originals (
  site_id uuid not null,
  id uuid not null,
  contribution_id uuid not null,
  reply_id uuid,                                  -- set if it is the text of a reply to the contribution
  texts jsonb not null,                           -- by field
  passages jsonb not null default '[]',           -- what was removed, in the order of decisions
  versions jsonb not null default '[]',           -- of the contribution, until the first masking
  created_at timestamptz not null default now(),
  masked_at timestamptz not null default now(),   -- last passage removed: deleted some months later
  primary key (site_id, id),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, reply_id) references replies (site_id, id) on delete cascade
);
create unique index masked_originals_subject on masked_originals
  (site_id, contribution_id, coalesce(reply_id, '00000000-0000-0000-0000-000000000000'));
create index masked_originals_reply on masked_originals (site_id, reply_id) where reply_id is not null;
create index masked_originals_age on masked_originals (site_id, masked_at);


-- Verified and invited people
-- ---------------------------

-- Lists of people who may take part in what is for verified people. A person proves once that they are on one; the proof is not kept.
create table eligibility_lists (
  site_id uuid not null,
  id uuid not null,
  name jsonb not null,
  level text not null check (level in ('contact', 'resident', 'identity')),
  fields text[] not null,                         -- what a person types, in the order of the form
  valid_until timestamptz not null,               -- then it is deleted, with the verifications by it
  entries integer not null default 0,
  lock_version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id) references sites (id) on delete cascade
);

-- One person of a list: a hash of the normalised fields, keyed with the server's secret.
create table eligibility_entries (
  site_id uuid not null,
  list_id uuid not null,
  hash bytea not null,
  bucket integer not null,                        -- the first bytes of the hash: what is compared in constant time
  primary key (site_id, list_id, hash),
  foreign key (site_id, list_id) references eligibility_lists (site_id, id) on delete cascade
);
create index eligibility_entries_bucket on eligibility_entries (site_id, list_id, bucket);

-- That a person was verified: kept with their account or their browser.
create table verifications (
  site_id uuid not null,
  id uuid not null,
  user_id uuid,
  browser_hash bytea,                             -- of the secret that the browser keeps
  subject_hash bytea not null,                    -- who was verified: the same person in another browser counts once
  method text not null check (method in ('list', 'in_person')),
  level text not null check (level in ('contact', 'resident', 'identity')),
  list_id uuid,
  valid_until timestamptz not null,
  created_by uuid,                                -- the administrator who confirmed the person
  created_at timestamptz not null,
  primary key (site_id, id),
  check ((user_id is null) <> (browser_hash is null)),
  check ((list_id is null) = (method = 'in_person')),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, list_id) references eligibility_lists (site_id, id) on delete cascade
);
create unique index verifications_user on verifications (site_id, user_id, subject_hash) where user_id is not null;
create unique index verifications_browser on verifications (site_id, browser_hash, subject_hash) where browser_hash is not null;
create index verifications_list on verifications (site_id, list_id);
create index verifications_end on verifications (site_id, valid_until);

-- Codes and links that invite people to a survey or an activity, made at once.
create table invitation_batches (
  site_id uuid not null,
  id uuid not null,
  survey_id uuid,
  kind text not null,                             -- codes | links
  total integer not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  activity_id uuid,
  primary key (site_id, id),
  constraint invitation_batches_subject check (num_nonnulls(survey_id, activity_id) = 1),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade,
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade
);
create index invitation_batches_survey on invitation_batches (site_id, survey_id);
create index invitation_batches_activity on invitation_batches (site_id, activity_id);

-- Each code or link, stored as a hash, which contains the id of what it invites to. Its use in a survey is recorded as a row of
-- survey_participations with the same hash, without a time and without the response, so that an invitation cannot be traced to anybody's
-- answers.
create table invitations (
  site_id uuid not null,
  survey_id uuid,
  secret_hash bytea not null,
  batch_id uuid not null,
  recipient_hash bytea,                           -- keyed hash of the address that a link was sent to
  activity_id uuid,
  primary key (site_id, secret_hash),
  constraint invitations_subject check (num_nonnulls(survey_id, activity_id) = 1),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade,
  foreign key (site_id, batch_id) references invitation_batches (site_id, id) on delete cascade,
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade
);
create index invitations_batch on invitations (site_id, batch_id);
create index invitations_recipient on invitations (site_id, survey_id, recipient_hash) where recipient_hash is not null;
create index invitations_activity on invitations (site_id, activity_id) where activity_id is not null;


-- Mails and text messages
-- -----------------------

-- Campaigns: one text message or newsletter, in each language, to everyone in an audience who agreed to it.
create table campaigns (
  site_id uuid not null references sites (id),
  id uuid not null,
  hub_id uuid,                                    -- for one department's people ...
  project_id uuid,                                -- ... or one project's followers
  name text not null,
  body jsonb not null default '{}',
  audience jsonb not null default '{}',           -- filters: { group, topic, language }
  status text not null default 'draft',           -- draft | scheduled | preparing | sending | paused | done | cancelled
  send_at timestamptz,
  prepared_until uuid,                            -- people up to this id have their message
  prepared integer not null default 0,
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  lock_version integer not null default 1,
  survey_id uuid,                                 -- the survey that the campaign's message asks
  channel text not null default 'sms',            -- sms | email
  subject jsonb not null default '{}',
  content jsonb not null default '{}',            -- { schema, blocks }, as in pages
  tally jsonb,                                    -- { accepted, failed, skipped } of a sent newsletter, because its mails are deleted
  promised integer not null default 0,            -- text messages counted against the monthly limit when it was submitted
  over_limit boolean not null default false,      -- paused because it would exceed the monthly limit
  returned integer not null default 0,            -- bounced mails that had been accepted, because mails are deleted
  primary key (site_id, id),
  foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade,
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete set null (survey_id)
);
create index campaigns_open on campaigns (site_id, status) where status in ('scheduled', 'preparing', 'sending', 'paused');

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

-- Every mail, waiting or sent.
create table outbox_mails (
  site_id uuid not null references sites (id),
  id uuid not null,
  recipient text not null,
  language text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  attempts integer not null default 0,
  last_error text,
  kind text not null default '',
  user_id uuid,                                   -- it is deleted with the account
  next_attempt_at timestamptz not null default now(),
  leave_url text,                                 -- one-click unsubscribe address, for the List-Unsubscribe header
  campaign_id uuid,
  recipient_name text,
  handed_at timestamptz,                          -- sent to the mail service, which has not answered yet
  fault text,                                     -- why it is never sent
  returned_at timestamptz,                        -- bounced after the mail service had accepted it
  returned_as text,                               -- hard | soft
  secret_bodies jsonb,                            -- what only its reader may see, until it is sent
  lease uuid,                                     -- a process sends only mails whose lease is still the one it claimed them with
  decision_id uuid,                               -- the moderation decision it is about: undoing that deletes the mail
  primary key (site_id, id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index outbox_mails_recent on outbox_mails (site_id, created_at desc);
create index outbox_mails_user on outbox_mails (site_id, user_id);
-- At most one mail per person and campaign, even after a crash.
create unique index outbox_mails_campaign on outbox_mails (site_id, campaign_id, user_id) where campaign_id is not null;
create index outbox_mails_due on outbox_mails (site_id, next_attempt_at) where sent_at is null and fault is null;
-- A sign-in link does not wait for newsletters, and is found without scanning one.
create index outbox_mails_first on outbox_mails (site_id, next_attempt_at) where sent_at is null and fault is null and campaign_id is null;
create index outbox_mails_decision on outbox_mails (site_id, decision_id) where decision_id is not null and sent_at is null;

-- The consent ledger of mail: every yes and no to news, with its wording. It outlives the account, because a refusal must be remembered.
create table mail_consents (
  site_id uuid not null references sites (id),
  id uuid not null,
  email text not null,
  user_id uuid,
  given boolean not null,
  words text not null,
  language text not null,
  source text not null,                           -- account | mail
  address text,
  at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, user_id) references users (site_id, id) on delete set null (user_id)
);
create index mail_consents_user on mail_consents (site_id, user_id, at);

-- Addresses that mails do not reach.
create table mail_addresses (
  site_id uuid not null references sites (id),
  address text not null,
  soft_failures integer not null default 0,       -- consecutive mails that were given up
  bounced_at timestamptz,
  reason text,
  updated_at timestamptz not null,
  id uuid not null default gen_random_uuid(),
  reported boolean not null default false,        -- reported by a bounce: a relay that accepts further mails proves nothing
  primary key (site_id, address)
);
create unique index mail_addresses_id on mail_addresses (site_id, id);

-- Confirmed phone numbers.
create table user_phones (
  site_id uuid not null,
  user_id uuid not null,
  phone text not null,                            -- E.164
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

-- Every outgoing and incoming text message.
create table sms_messages (
  site_id uuid not null references sites (id),
  id uuid not null,
  direction text not null,                        -- out | in
  purpose text not null,                          -- test | code | campaign | reply | survey
  status text not null,                           -- waiting | sending | accepted | delivered | failed | skipped | received
  phone text not null,                            -- the other party's number, E.164
  user_id uuid,
  language text not null,
  body text not null,
  segments integer not null default 1,
  integration text,                               -- the service that sent it, or is sending it
  provider_id text,                               -- that service's id for it
  fault text,
  attempts integer not null default 0,
  next_attempt_at timestamptz,                    -- null: nothing more to do
  created_at timestamptz not null,
  tried_at timestamptz,                           -- when a service was first given it
  sent_at timestamptz,
  settled_at timestamptz,                         -- delivered, or given up
  campaign_id uuid,
  unnamed boolean not null default false,         -- its number and text are deleted once it is sent
  taken_up boolean not null default false,        -- a reply to it has started its survey
  primary key (site_id, id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index sms_messages_recent on sms_messages (site_id, created_at desc, id desc);
create index sms_messages_due on sms_messages (site_id, next_attempt_at) where next_attempt_at is not null;
create unique index sms_messages_provider on sms_messages (site_id, integration, provider_id) where provider_id is not null;
-- At most one message per number and campaign, even after a crash.
create unique index sms_messages_campaign on sms_messages (site_id, campaign_id, phone) where campaign_id is not null;
create index sms_messages_campaign_status on sms_messages (site_id, campaign_id, status) where campaign_id is not null;
create index sms_messages_phone on sms_messages (site_id, phone, created_at desc);
-- Codes, replies and test messages do not wait for campaigns.
create index sms_messages_first on sms_messages (site_id, next_attempt_at) where next_attempt_at is not null and campaign_id is null;

-- The consent ledger of text messages: every yes and no, with its wording. The latest entry for a number counts. It outlives the account,
-- because a refusal must be remembered.
create table sms_consents (
  site_id uuid not null references sites (id),
  id uuid not null,
  phone text not null,
  user_id uuid,
  given boolean not null,
  words text not null,
  language text not null,
  source text not null,                           -- account | text
  address text,
  at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, user_id) references users (site_id, id) on delete set null (user_id)
);
create index sms_consents_latest on sms_consents (site_id, phone, at desc, id desc);


-- Integrations
-- ------------

-- What a site has installed from the marketplace, with sealed credentials and settings.
create table installations (
  site_id uuid not null references sites (id),
  id uuid not null,
  integration text not null,                      -- id of its manifest
  settings jsonb not null default '{}',           -- what is not secret
  sealed_secrets text,                            -- the rest, as sealed JSON
  enabled_at timestamptz,
  health text not null default 'untested',        -- untested | working | failing | down
  failures integer not null default 0,            -- consecutive
  paused_until timestamptz,                       -- no requests until then
  last_used_at timestamptz,
  last_fault jsonb,                               -- { code, at }
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  lock_version integer not null default 1,
  failing_since timestamptz,                      -- every request has failed since; null while it works
  paced_until timestamptz,                        -- messages already sent use up its rate limit until then, in every process
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
  target text not null,                           -- host and path, without anything that identifies a person or an account
  outcome text not null,                          -- ok, or the code of a fault
  status integer,
  milliseconds integer not null,
  note text not null default '',                  -- the service's own error code
  primary key (site_id, id),
  foreign key (site_id, installation_id) references installations (site_id, id) on delete cascade
);
create index installation_calls_recent on installation_calls (site_id, installation_id, at desc);

-- Events of a site, to deliver to its webhook address until that accepts them.
create table webhook_deliveries (
  site_id uuid not null,
  id uuid not null,                               -- the same for each attempt, so that the receiver can deduplicate
  installation_id uuid not null,
  event text not null,
  subject_id uuid not null,                       -- the response, project, survey, update or account
  body text not null,                             -- as signed and posted, byte for byte
  status text not null default 'waiting',         -- waiting | delivered | failed
  occurred_at timestamptz not null,
  tried_since timestamptz not null,               -- start of the retries: when it happened or was replayed
  attempts integer not null default 0,
  next_attempt_at timestamptz,                    -- null: nothing more to do
  answered integer,                               -- status of the last response
  fault text,
  delivered_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, installation_id) references installations (site_id, id) on delete cascade
);
create index webhook_deliveries_recent on webhook_deliveries (site_id, installation_id, occurred_at desc, id desc);
create index webhook_deliveries_due on webhook_deliveries (site_id, next_attempt_at) where next_attempt_at is not null;

-- Which surveys were open at the last check: they open and close on schedule, without anybody doing anything.
create table webhook_watches (
  site_id uuid not null,
  installation_id uuid not null,
  enabled_at timestamptz not null,                -- of the installation: after it is re-enabled, events from in between are not sent
  open_surveys uuid[] not null,
  primary key (site_id, installation_id),
  foreign key (site_id, installation_id) references installations (site_id, id) on delete cascade
);

-- The addresses at which text services reached a site before they were uninstalled. Nothing but STOP is heard there.
create table former_sms_hooks (
  site_id uuid not null references sites (id) on delete cascade,
  id uuid not null,                               -- of the installation, which the address names
  integration text not null,
  removed_at timestamptz not null,
  primary key (site_id, id)
);


-- Reach and figures
-- -----------------

-- Site reach, stored as daily counts. A visitor is recognised for one day only, by a hash with that day's random salt; both are deleted at
-- the end of the day. Unlogged: after a crash, that day's visitors count as new, and no log keeps anything about them.
create unlogged table reach_salts (
  site_id uuid not null references sites (id),
  day date not null,                              -- in the site's calendar
  id uuid not null,                               -- identifies the counts derived from it
  salt bytea not null,
  changed boolean not null default false,         -- new visits since the counts were last computed
  primary key (site_id, day)
);

create unlogged table reach_visits (
  site_id uuid not null,
  day date not null,
  visitor bytea not null,
  kind text not null,                             -- site | hub | topic | project
  place_id uuid not null,
  informed boolean not null,
  language text not null,
  source text,                                    -- null if the visitor came from another page of the site
  campaign text,
  primary key (site_id, day, visitor, kind, place_id),
  foreign key (site_id, day) references reach_salts (site_id, day) on delete cascade
);

create table reach_days (
  site_id uuid not null references sites (id),
  kind text not null,
  place_id uuid not null,
  day date not null,
  salt_id uuid not null,
  language text not null,
  source text not null,                           -- direct | search | social | email | campaign | site
  campaign text not null,                         -- code of the campaign, or ''
  aware integer not null,
  informed integer not null,
  primary key (site_id, kind, place_id, day, salt_id, language, source, campaign)
);
create index reach_days_day on reach_days (site_id, day);

-- Figures about responses, so that no page counts the responses themselves. All of it is derived from `responses` and unlogged: it is in no
-- backup, and after a crash of the database a job counts it again.

-- What changed since a job last added it to the figures. Only ever inserted into, so that an arriving response waits for nobody.
create unlogged table response_changes (
  site_id uuid not null,
  project_id uuid not null,
  day date,                                       -- in the site's calendar; null: the project changed its place or was deleted
  user_id uuid,
  change integer not null                         -- responses added; 0 if only their language or source changed
);
create index response_changes_site on response_changes (site_id);

create unlogged table response_days (
  site_id uuid not null,
  day date not null,                              -- in the site's calendar
  project_id uuid not null,
  responses integer not null,
  primary key (site_id, day, project_id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);

create unlogged table response_totals (
  site_id uuid not null,
  project_id uuid not null,
  responses integer not null,
  without_account integer not null,
  primary key (site_id, project_id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);

-- Accounts with responses in a project. Somebody who takes part in several projects of a place counts once there.
create unlogged table project_people (
  site_id uuid not null,
  project_id uuid not null,
  user_id uuid not null,
  responses integer not null,
  primary key (site_id, project_id, user_id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index project_people_user on project_people (site_id, user_id);
create index project_people_gone on project_people (site_id) where responses <= 0;

create unlogged table place_people (
  site_id uuid not null,
  place_id uuid not null,                         -- the site, a hub or a project
  people integer not null,
  primary key (site_id, place_id)
);

-- People who took part, each once a day, as reach counts them.
create unlogged table engaged_days (
  site_id uuid not null,
  kind text not null,                             -- site | hub | topic | project
  place_id uuid not null,
  day date not null,
  language text not null,
  web integer not null,                           -- whose visit may have been counted
  other integer not null,                         -- on paper, by text or from another website
  primary key (site_id, kind, place_id, day, language)
);
create index engaged_days_day on engaged_days (site_id, day);

create unlogged table engaged_days_due (
  site_id uuid not null,
  day date not null,                              -- to be counted again
  primary key (site_id, day)
);

create unlogged table response_recounts (
  site_id uuid not null,
  time_zone text not null,                        -- in which its days were counted
  changed_at timestamptz not null,                -- when the figures last changed
  recounted_at timestamptz not null,              -- when they were last compared with the responses
  primary key (site_id)
);

create function record_added_responses() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, user_id, change)
  select r.site_id, s.project_id, (r.submitted_at at time zone t.time_zone)::date, r.user_id, count(*)
  from added r join surveys s on s.site_id = r.site_id and s.id = r.survey_id join sites t on t.id = r.site_id
  where r.withdrawn_at is null
  group by 1, 2, 3, 4;
  return null;
end $$;

create function record_deleted_responses() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, user_id, change)
  select r.site_id, s.project_id, (r.submitted_at at time zone t.time_zone)::date, r.user_id, -count(*)
  from deleted r join surveys s on s.site_id = r.site_id and s.id = r.survey_id join sites t on t.id = r.site_id
  where r.withdrawn_at is null
    -- With a site, its figures are deleted as well.
    and not exists (select from site_deletions d where d.id = r.site_id and d.state = 'erasing')
  group by 1, 2, 3, 4;
  return null;
end $$;

create function record_changed_response() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, user_id, change)
  select new.site_id, s.project_id, (c.at at time zone t.time_zone)::date, c.user_id, sum(c.change)
  from (values (old.survey_id, old.submitted_at, old.user_id, -1, old.withdrawn_at), (new.survey_id, new.submitted_at, new.user_id, 1, new.withdrawn_at))
    c(survey_id, at, user_id, change, withdrawn_at)
  join surveys s on s.site_id = new.site_id and s.id = c.survey_id join sites t on t.id = new.site_id
  where c.withdrawn_at is null
  group by 1, 2, 3, 4;
  return null;
end $$;

create function record_moved_project() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, change)
  select old.site_id, old.id, 0 where not exists (select from site_deletions d where d.id = old.site_id and d.state = 'erasing');
  return null;
end $$;

create function record_added_contributions() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, change)
  select distinct c.site_id, a.project_id, (c.submitted_at at time zone t.time_zone)::date, 0
  from added c join activities a on a.site_id = c.site_id and a.id = c.activity_id join sites t on t.id = c.site_id;
  return null;
end $$;

create function record_changed_contribution() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, change)
  select distinct new.site_id, a.project_id, (c.at at time zone t.time_zone)::date, 0
  from (values (old.submitted_at), (new.submitted_at)) c(at)
  join activities a on a.site_id = new.site_id and a.id = new.activity_id join sites t on t.id = new.site_id;
  return null;
end $$;

create function record_added_replies() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, change)
  select distinct r.site_id, a.project_id, (r.created_at at time zone t.time_zone)::date, 0
  from added r join contributions c on c.site_id = r.site_id and c.id = r.contribution_id
  join activities a on a.site_id = c.site_id and a.id = c.activity_id join sites t on t.id = r.site_id
  where r.role <> 'official';
  return null;
end $$;

create function record_changed_reply() returns trigger language plpgsql as $$
begin
  insert into response_changes (site_id, project_id, day, change)
  select new.site_id, a.project_id, (new.created_at at time zone t.time_zone)::date, 0
  from contributions c join activities a on a.site_id = c.site_id and a.id = c.activity_id join sites t on t.id = c.site_id
  where c.site_id = new.site_id and c.id = new.contribution_id;
  return null;
end $$;

create trigger record_added_responses after insert on responses referencing new table as added
  for each statement execute function record_added_responses();
create trigger record_deleted_responses after delete on responses referencing old table as deleted
  for each statement execute function record_deleted_responses();
create trigger record_changed_response after update on responses for each row
  when (old.survey_id <> new.survey_id or old.submitted_at <> new.submitted_at or old.user_id is distinct from new.user_id
    or (old.withdrawn_at is null) <> (new.withdrawn_at is null) or old.language <> new.language or old.source <> new.source)
  execute function record_changed_response();
create trigger record_moved_project after update on projects for each row
  when (old.hub_id is distinct from new.hub_id or old.topic_id is distinct from new.topic_id)
  execute function record_moved_project();
create trigger record_deleted_project after delete on projects for each row execute function record_moved_project();
create trigger record_added_contributions after insert on contributions referencing new table as added
  for each statement execute function record_added_contributions();
create trigger record_changed_contribution after update on contributions for each row
  when (old.author_id is distinct from new.author_id or old.state <> new.state or old.submitted_at <> new.submitted_at
    or old.language <> new.language or old.source <> new.source)
  execute function record_changed_contribution();
create trigger record_added_replies after insert on replies referencing new table as added
  for each statement execute function record_added_replies();
create trigger record_changed_reply after update on replies for each row
  when (old.author_id is distinct from new.author_id or old.state <> new.state or old.language <> new.language)
  execute function record_changed_reply();


-- Audit trail
-- -----------

-- The audit trail is a hash chain per site: each line is numbered and carries a hash of itself and the previous line.
create table audit_events (
  site_id uuid not null references sites (id),
  id uuid not null,
  at timestamptz not null default now(),
  actor_id uuid,
  actor_role text,
  action text not null,                           -- e.g. projects.publish, responses.export, sessions.create
  subject_type text,
  subject_id uuid,
  hub_id uuid,
  project_id uuid,
  address text,
  detail jsonb not null default '{}',
  sequence bigint not null,
  hash bytea not null,
  primary key (site_id, id),
  unique (site_id, sequence)
);
create index audit_events_at on audit_events (site_id, at);
create index audit_events_actor on audit_events (site_id, actor_id, sequence desc);
create index audit_events_subject on audit_events (site_id, subject_id, sequence desc);
create index audit_events_hub on audit_events (site_id, hub_id, sequence desc);
create index audit_events_project on audit_events (site_id, project_id, sequence desc);

-- The end of each site's chain, and the number of lines that are older than the chain.
create table audit_chains (
  site_id uuid primary key references sites (id),
  begins_after bigint not null default 0,
  sequence bigint not null default 0,
  hash bytea not null default ''
);

-- The application may only append to the audit trail. A site's trail is deleted with the site, and only while it is being erased.
create function erase_audit_trail(which uuid) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare gone bigint;
begin
  if not exists (select from site_deletions where id = which and state = 'erasing') then
    raise exception 'the audit trail of a site goes with the site alone';
  end if;
  delete from audit_events where site_id = which;
  get diagnostics gone = row_count;
  return gone;
end $$;


-- Administration
-- --------------

-- One person's saved views of admin tables, each with a name.
create table saved_views (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  table_name text not null,                       -- projects | people | responses
  survey_id uuid,                                 -- only for the table of responses
  name text not null,
  query text not null,                            -- search, filters, sort and columns, as in the table's address
  created_at timestamptz not null,
  primary key (site_id, id),
  constraint saved_views_name unique nulls not distinct (site_id, user_id, table_name, survey_id, name),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);

-- Which notifications a person has read. The notifications themselves are derived from events; only the reading is stored.
create table read_notifications (
  site_id uuid not null,
  user_id uuid not null,
  notification_id uuid not null,                  -- of what it is about: an audit event, an export, a dataset, an installation
  read_at timestamptz not null,                   -- later events make it unread again
  primary key (site_id, user_id, notification_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);


-- Search
-- ------

-- An index of the words in searchable texts, so that a search compares each distinct word of a site once instead of every text.
create table search_words (
  site_id uuid not null references sites (id),
  word text collate "C" not null,                 -- normalised; kept after the last text with it is gone
  primary key (site_id, word)
);

create table search_places (
  site_id uuid not null references sites (id),
  word text collate "C" not null,
  subject_id uuid not null,                       -- of a project, hub, page, update or survey
  in_title boolean not null,
  primary key (site_id, word, subject_id) include (in_title) -- a word that thousands of texts have is counted from the index itself
);
create index search_places_subject on search_places (site_id, subject_id);

-- Keeps the words of a text. Stops early if the text is the same: comparing all words would be most of the work of such a save.
create function keep_search_places() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_places where site_id = old.site_id and subject_id = old.id;
    return null;
  end if;
  if tg_op = 'UPDATE' and old.search_title = new.search_title and old.search_text = new.search_text then
    return null;
  end if;
  with standing as (
    select word, bool_or(in_title) as in_title
    from (select word collate "C" as word, true as in_title from unnest(string_to_array(new.search_title, ' ')) word
          union all select word collate "C", false from unnest(string_to_array(new.search_text, ' ')) word) words
    where word <> '' and length(word) <= 100
    group by word
  ), gone as (
    delete from search_places where site_id = new.site_id and subject_id = new.id and word not in (select word from standing)
  ), known as (
    insert into search_words (site_id, word) select new.site_id, word from standing order by word on conflict do nothing
  )
  insert into search_places (site_id, word, subject_id, in_title) select new.site_id, word, new.id, in_title from standing order by word
  on conflict (site_id, word, subject_id) do update set in_title = excluded.in_title where search_places.in_title <> excluded.in_title;
  return null;
end $$;

create trigger keep_search_places after insert or delete or update of search_title, search_text on projects
  for each row execute function keep_search_places();
create trigger keep_search_places after insert or delete or update of search_title, search_text on hubs
  for each row execute function keep_search_places();
create trigger keep_search_places after insert or delete or update of search_title, search_text on pages
  for each row execute function keep_search_places();
create trigger keep_search_places after insert or delete or update of search_title, search_text on project_updates
  for each row execute function keep_search_places();
create trigger keep_search_places after insert or delete or update of search_title, search_text on surveys
  for each row execute function keep_search_places();
create trigger keep_search_places after insert or delete or update of search_title, search_text on activities
  for each row execute function keep_search_places();
create trigger keep_search_places after insert or delete or update of search_title, search_text on contributions
  for each row execute function keep_search_places();


-- Work that waits
-- ---------------

-- The sites on which a job has work, found by the indexes of what waits: the cost grows with the work, not with the number of sites. It
-- reads across sites as the owner of the tables (see `secureTables`) and tells nothing but the ids of sites. Callers leave out sites that are
-- not active.
create function sites_with_work(job text, at timestamptz) returns setof uuid
language plpgsql stable rows 10 security definer set search_path = public, pg_temp as $$
begin
  case job
    when 'publish-due-projects' then
      return query select distinct p.site_id from projects p where p.status = 'scheduled' and p.publish_at <= at;
    when 'announce-revisions' then
      return query select r.site_id from homepage_revisions r where r.announced_at is null and r.published_at <= at
        union select r.site_id from appearance_revisions r where r.announced_at is null and r.published_at <= at;
    when 'mail-updates' then
      return query select distinct u.site_id from project_updates u where u.notified_at is null and u.published_at <= at;
    when 'deliver-mails' then
      return query select distinct m.site_id from outbox_mails m where m.sent_at is null and m.fault is null and m.next_attempt_at <= at;
    when 'mail-digests' then
      return query select i.site_id from follow_digest_items i where i.due_at <= at
        union select i.site_id from contribution_digest_items i where i.due_at <= at
        union select i.site_id from email_digest_items i where i.due_at <= at
        union select a.site_id from activities a where a.status = 'published' and a.news_until <= at - interval '1 hour'
          and exists (select from contributions c where c.site_id = a.site_id and c.activity_id = a.id and c.state = 'published'
            and c.published_at > a.news_until);
    when 'run-campaigns' then
      return query select distinct c.site_id from campaigns c
        where c.status in ('scheduled', 'preparing', 'sending') or (c.status = 'cancelled' and c.tally is null);
    when 'send-texts' then
      return query select distinct m.site_id from sms_messages m where m.next_attempt_at is not null and m.next_attempt_at <= at;
    when 'tend-conversations' then
      return query select c.site_id from text_conversations c where c.sealed_phone is not null and c.updated_at < at - interval '1 minute'
        union select c.site_id from text_conversations c where c.sealed_phone is null and c.expires_at < at;
    when 'deliver-webhooks' then
      return query select distinct i.site_id from installations i where i.enabled_at is not null and i.integration = 'webhooks';
    when 'return-held-texts' then
      return query select distinct c.site_id from moderation_cases c where c.state = 'open' and c.held_until is not null and c.held_until <= at;
    when 'tell-reporters' then
      return query select distinct r.site_id from moderation_reports r
        join moderation_cases c on c.site_id = r.site_id and c.id = r.case_id and c.state in ('decided', 'appealed', 'closed')
        where r.told_at is null and r.reporter_id is not null;
    when 'mail-due-work' then
      return query select c.site_id from moderation_cases c where c.state = 'open' and c.due_at <= at
        union select a.site_id from moderation_appeals a where a.state = 'pending';
    when 'tell-merges' then
      return query select distinct l.site_id from contribution_links l
        where l.kind = 'duplicate_of' and l.told_at is null and l.ended_at is null;
    when 'tell-of-answers' then
      return query select distinct r.site_id from official_responses r where r.told_at is null and r.visibility = 'public';
    when 'synchronise-city-data' then
      return query select distinct d.site_id from city_datasets d where d.due_at <= at;
    when 'make-exports' then
      return query select distinct e.site_id from survey_exports e where e.state in ('waiting', 'running');
    when 'make-response-blocks' then
      -- Where responses arrived within the last hour. A block has 8192 of them: where there is none yet, only numbering can be due.
      return query select recent.site_id from (
          select c.site_id from response_changes c
          union select c.site_id from response_recounts c where c.changed_at > at - interval '1 hour') recent
        where exists (select from surveys s where s.site_id = recent.site_id and (s.responses_numbered >= 8192
          or exists (select from responses r where r.site_id = s.site_id and r.survey_id = s.id and r.number is null)));
    when 'count-responses' then
      return query select c.site_id from response_changes c
        union select s.id from sites s
          where not exists (select from response_recounts c where c.site_id = s.id and c.time_zone = s.time_zone);
    when 'roll-up-reach' then
      return query select d.site_id from engaged_days_due d
        union select r.site_id from reach_salts r join sites s on s.id = r.site_id
          where r.changed or r.day < ((at - interval '10 minutes') at time zone s.time_zone)::date;
    when 'count-platform-figures' then
      return query select s.id from sites s
        left join site_figures f on f.site_id = s.id
        left join (select i.site_id, count(*) as enabled, count(*) filter (where i.health in ('failing', 'down')) as failing
          from installations i where i.enabled_at is not null group by i.site_id) services on services.site_id = s.id
        left join (select c.site_id, count(*) as added, count(*) filter (where c.failures > 0) as failing
          from city_connectors c group by c.site_id) portals on portals.site_id = s.id
        left join (select p.site_id, count(*) as open from projects p where p.status = 'published'
          and (p.opens_at is null or p.opens_at <= at) and (p.closes_at is null or p.closes_at > at) group by p.site_id) projects
          on projects.site_id = s.id
        where s.status = 'active' and (f.site_id is null
          or f.counted_at <= at - interval '1 hour'
          -- Somebody visited today: reach changes.
          or (f.counted_at <= at - interval '5 minutes' and exists (select from reach_salts r where r.site_id = s.id))
          or exists (select from response_recounts c where c.site_id = s.id and c.changed_at > f.counted_at)
          or f.connections <> coalesce(services.enabled, 0) + coalesce(portals.added, 0)
          or jsonb_array_length(f.failing) <> coalesce(services.failing, 0) + coalesce(portals.failing, 0)
          or f.open_projects <> coalesce(projects.open, 0));
    else
      raise exception 'no look is known for the job %', job;
  end case;
end $$;

-- Mails and text messages that wait to be sent, in all sites together: totals for the metrics, which tell nothing about any one site.
create function count_waiting_messages(at timestamptz) returns table (kind text, waiting bigint, due bigint, oldest_due timestamptz)
language plpgsql as $$
declare
  site record;
  mails record;
  texts record;
begin
  select 0::bigint waiting, 0::bigint due, null::timestamptz oldest into mails;
  select 0::bigint waiting, 0::bigint due, null::timestamptz oldest into texts;
  for site in select id from sites loop
    perform set_config('parley.site_id', site.id::text, true);
    select mails.waiting + count(*) waiting, mails.due + count(*) filter (where m.next_attempt_at <= at) due,
      least(mails.oldest, min(m.next_attempt_at) filter (where m.next_attempt_at <= at)) oldest
    into mails from outbox_mails m where m.site_id = site.id and m.sent_at is null and m.fault is null;
    select texts.waiting + count(*) waiting, texts.due + count(*) filter (where m.next_attempt_at <= at) due,
      least(texts.oldest, min(m.next_attempt_at) filter (where m.next_attempt_at <= at)) oldest
    into texts from sms_messages m where m.site_id = site.id and m.next_attempt_at is not null;
  end loop;
  return query values ('mail', mails.waiting, mails.due, mails.oldest), ('text', texts.waiting, texts.due, texts.oldest);
end $$;
