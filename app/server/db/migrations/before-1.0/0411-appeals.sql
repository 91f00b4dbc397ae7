-- Readers report what they think breaks a rule. Reports name nobody but an account that asked to be told, and then only to moderators.
alter table moderation_cases
  add column held_at timestamptz,                      -- when reports took the text off the site
  add column held_until timestamptz;                   -- when it comes back by itself; null once it did
create index moderation_cases_held on moderation_cases (site_id, held_until) where state = 'open' and held_until is not null;

create table moderation_reports (
  site_id uuid not null,
  id uuid not null,
  case_id uuid not null,
  contribution_id uuid not null,
  reply_id uuid,                                       -- set if the reply was reported
  version integer not null,                            -- of the text that was reported
  person_hash bytea not null,                          -- as in reactions
  by_account boolean not null,
  reporter_id uuid,                                    -- to be told what was decided
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
  appellant_id uuid,                                   -- an account that is told the outcome
  words text not null,
  state text not null default 'pending' check (state in ('pending', 'upheld', 'overturned', 'closed')),
  answer text not null default '',                     -- to the person who appealed
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
  reports_to_hold integer check (reports_to_hold between 2 and 50), -- reports by confirmed accounts that take a text off the site; null: none
  lock_version integer not null default 1,
  updated_at timestamptz not null default now()
);
