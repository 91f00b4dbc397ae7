-- Who may take part in activities that ask for it: proven once, without keeping what proved it.
create table eligibility_lists (
  site_id uuid not null,
  id uuid not null,
  name jsonb not null,
  level text not null check (level in ('contact', 'resident', 'identity')),
  fields text[] not null,                              -- what a person types, in the order of the form
  valid_until timestamptz not null,                    -- then it goes, with what it proved
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
  bucket integer not null,                             -- the first bytes of the hash: what is compared in constant time
  primary key (site_id, list_id, hash),
  foreign key (site_id, list_id) references eligibility_lists (site_id, id) on delete cascade
);
create index eligibility_entries_bucket on eligibility_entries (site_id, list_id, bucket);

-- Held by an account or by a browser.
create table verifications (
  site_id uuid not null,
  id uuid not null,
  user_id uuid,
  browser_hash bytea,                                  -- of the secret that the browser keeps
  subject_hash bytea not null,                         -- who was verified: the same person in another browser counts once
  method text not null check (method in ('list', 'in_person')),
  level text not null check (level in ('contact', 'resident', 'identity')),
  list_id uuid,
  valid_until timestamptz not null,
  created_by uuid,                                     -- the administrator who confirmed the person
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
