-- Global tables (no row-level security; listed in app/server/db/tenancy.ts).

create table sites (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  status text not null default 'active',            -- active | suspended
  region text not null,                             -- Canada | United Kingdom | Sydney | ...
  locale text not null,
  languages text[] not null,
  time_zone text not null,
  tagline jsonb not null default '{}',
  contact_email text,
  theme jsonb not null default '{}',                -- design tokens of the published appearance
  consent_required boolean not null default false,  -- ask before loading analytics and chat
  content_version bigint not null default 1,
  created_at timestamptz not null default now()
);

create table site_domains (
  host text primary key,
  site_id uuid not null references sites (id),
  is_primary boolean not null default false
);
create index site_domains_site on site_domains (site_id);

create table features (
  name text primary key,
  kind text not null default 'feature',             -- feature (features.features) | site (siteFeatures.siteFeatures)
  enabled boolean not null default false            -- platform default
);

-- Tenant tables: site_id first in every key; foreign keys stay inside the site.

create table site_features (
  site_id uuid not null references sites (id),
  name text not null references features (name),
  enabled boolean not null,
  primary key (site_id, name)
);

create table users (
  site_id uuid not null references sites (id),
  id uuid not null,
  email text not null,                              -- lower case
  login text not null,                              -- display name
  type text not null default 'participant',         -- participant | administrator
  password_hash text,
  locale text not null default 'en',
  email_confirmed_at timestamptz,
  blocked_at timestamptz,
  blocked_reason text,
  last_seen_at timestamptz,
  marketing_consent_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, email)
);

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
  primary key (site_id, id),
  unique (site_id, token_hash),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index sessions_user on sessions (site_id, user_id);

create table one_time_links (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  purpose text not null,                            -- confirm-email | reset-password | change-email | first-admin
  token_hash bytea not null,
  email text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (site_id, id),
  unique (site_id, token_hash),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);

create table rate_limits (
  site_id uuid not null references sites (id),
  key text not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (site_id, key, window_start)
);

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
  status text not null default 'draft',             -- draft | in_review | scheduled | published | archived
  visibility text not null default 'public',        -- public | members | hidden | link
  opens_at timestamptz,
  closes_at timestamptz,
  publish_at timestamptz,
  published_at timestamptz,                         -- set only once, at first publication
  archived_at timestamptz,
  picture text,
  picture_alt jsonb not null default '{}',
  place jsonb,                                      -- { "address": Translated, "lat": number, "lng": number }
  team jsonb not null default '[]',                 -- [{ "name": text, "role": Translated, "email": text }]
  outcome jsonb not null default '{}',              -- the decision, once there is one
  search_text text not null default '',             -- normalised title, summary and body in every language
  participants integer not null default 0,
  featured boolean not null default false,
  lock_version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, slug),
  foreign key (site_id, hub_id) references hubs (site_id, id),
  foreign key (site_id, topic_id) references topics (site_id, id)
);
create index projects_listing on projects (site_id, status, published_at desc);
create index projects_hub on projects (site_id, hub_id);
create index projects_search on projects using gin (search_text gin_trgm_ops);

create table project_dates (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  title jsonb not null,
  detail jsonb not null default '{}',
  happens_at timestamptz not null,
  precision text not null default 'day',            -- time | day | month | season
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
  file text not null,                               -- storage key
  media_type text not null,
  bytes integer not null,
  language text,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);

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
  primary key (site_id, id),
  unique (site_id, slug),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index project_updates_project on project_updates (site_id, project_id, published_at desc);

create table project_follows (
  site_id uuid not null,
  project_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (site_id, project_id, user_id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);

create table project_members (
  site_id uuid not null,
  project_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (site_id, project_id, user_id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);

-- Roles and where they apply. Only the column of the role's scope is set; site_admin and platform_admin set none.
create table memberships (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  role text not null,                               -- platform_admin | site_admin | hub_admin | project_admin
  hub_id uuid,
  project_id uuid,
  may_export_personal_data boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade,
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index memberships_user on memberships (site_id, user_id);

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

create table preview_links (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  token_hash bytea not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (site_id, id),
  unique (site_id, token_hash),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);

create table surveys (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  slug text not null,
  title jsonb not null,
  intro jsonb not null default '{}',
  thanks jsonb not null default '{}',
  status text not null default 'draft',             -- draft | published | archived
  access text not null default 'anyone',            -- anyone | anyone_once | signed_in | confirmed | members
  anonymous boolean not null default false,         -- no account and no address stored with a response
  variant text not null default 'site',             -- site | classic | revised
  results_public boolean not null default false,
  opens_at timestamptz,
  closes_at timestamptz,
  minutes integer,
  definition jsonb not null,                        -- the draft definition
  published_version integer,
  lock_version integer not null default 1,
  responses_count integer not null default 0,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, project_id, slug),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);

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

create table responses (
  site_id uuid not null,
  id uuid not null,                                 -- made by the client, so that a retry stores nothing twice
  survey_id uuid not null,
  version integer not null,
  user_id uuid,
  language text not null,
  source text not null default 'web',
  answers jsonb not null,                           -- { questionId: value }
  receipt_hash bytea not null,                      -- hash of the code on the participant's receipt
  submitted_at timestamptz not null default now(),
  edited_at timestamptz,
  withdrawn_at timestamptz,
  seconds integer,
  primary key (site_id, id),
  unique (site_id, receipt_hash),
  foreign key (site_id, survey_id) references surveys (site_id, id),
  foreign key (site_id, user_id) references users (site_id, id)
);
create index responses_survey on responses (site_id, survey_id, submitted_at desc, id);
create index responses_user on responses (site_id, user_id) where user_id is not null;

create table response_drafts (
  site_id uuid not null,
  id uuid not null,                                 -- made by the client; becomes the response's id
  survey_id uuid not null,
  version integer not null,
  user_id uuid,
  language text not null,
  answers jsonb not null,
  resume_hash bytea,
  started_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade,
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);

create table pages (
  site_id uuid not null references sites (id),
  id uuid not null,
  slug text not null,
  kind text not null default 'page',                -- page | legal
  title jsonb not null,
  body jsonb not null,
  published_at timestamptz,
  position integer not null default 0,
  lock_version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, slug)
);

create table homepage_revisions (
  site_id uuid not null references sites (id),
  id uuid not null,
  hub_id uuid,
  parent_id uuid,
  content jsonb not null,                           -- { "schema": 1, "blocks": [...] }
  note text not null default '',
  created_by uuid,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade
);

create table appearance_revisions (
  site_id uuid not null references sites (id),
  id uuid not null,
  parent_id uuid,
  tokens jsonb not null,
  note text not null default '',
  created_by uuid,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  primary key (site_id, id)
);

create table city_connectors (
  site_id uuid not null references sites (id),
  id uuid not null,
  name text not null,
  portal_url text not null,
  kind text not null,
  created_at timestamptz not null default now(),
  primary key (site_id, id)
);

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
  primary key (site_id, id)
);
create index outbox_mails_recent on outbox_mails (site_id, created_at desc);

create table audit_events (
  site_id uuid not null references sites (id),
  id uuid not null,
  at timestamptz not null default now(),
  actor_id uuid,
  actor_role text,
  action text not null,                             -- e.g. projects.publish, responses.export, sessions.create
  subject_type text,
  subject_id uuid,
  hub_id uuid,
  project_id uuid,
  address text,
  detail jsonb not null default '{}',
  primary key (site_id, id)
);
create index audit_events_recent on audit_events (site_id, at desc);
