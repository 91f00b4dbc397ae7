-- Why something may be declined, held or removed, in words that everybody can read. A site without rows has the default ones.
create table moderation_rules (
  site_id uuid not null,
  id uuid not null,
  code text not null,
  position integer not null default 0,
  label jsonb not null,
  explanation jsonb not null default '{}',
  version integer not null default 1,                  -- of its words
  archived boolean not null default false,             -- not offered for new decisions
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
  reply_id uuid,                                       -- set if the case is about a reply to the contribution
  version integer not null default 1,                  -- of the text that somebody looks at
  opened_by text not null,                             -- before | staff
  state text not null default 'open',                  -- open | decided | closed
  opened_at timestamptz not null default now(),
  due_at timestamptz not null,
  decided_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, reply_id) references replies (site_id, id) on delete cascade
);
create index moderation_cases_due on moderation_cases (site_id, due_at) where state = 'open';
create unique index moderation_cases_open on moderation_cases
  (site_id, contribution_id, coalesce(reply_id, '00000000-0000-0000-0000-000000000000')) where state = 'open';

create table moderation_decisions (
  site_id uuid not null,
  id uuid not null,
  case_id uuid not null,
  decision text not null,                              -- keep | publish | hold | decline | remove
  rule_id uuid,
  rule_version integer,
  words text not null default '',                      -- to the author
  automatic boolean not null default false,            -- taken by a rule, not by a person
  decided_by uuid,
  decided_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, case_id) references moderation_cases (site_id, id) on delete cascade,
  foreign key (site_id, rule_id) references moderation_rules (site_id, id) on delete cascade,
  foreign key (site_id, decided_by) references users (site_id, id) on delete set null (decided_by)
);
create index moderation_decisions_case on moderation_decisions (site_id, case_id, decided_at);
create index moderation_decisions_rule on moderation_decisions (site_id, rule_id);

-- What waits already has a case from now on, due as its activity promises.
alter table contributions no force row level security;
alter table replies no force row level security;
alter table activities no force row level security;
insert into moderation_cases (site_id, id, contribution_id, version, opened_by, opened_at, due_at)
select c.site_id, gen_random_uuid(), c.id, c.version, case when c.published_at is null then 'before' else 'staff' end, c.submitted_at,
  c.submitted_at + make_interval(days => coalesce((a.settings ->> 'moderationDays')::integer, 3))
from contributions c join activities a on a.site_id = c.site_id and a.id = c.activity_id
where c.state = 'held';
insert into moderation_cases (site_id, id, contribution_id, reply_id, opened_by, opened_at, due_at)
select r.site_id, gen_random_uuid(), r.contribution_id, r.id, 'before', r.created_at,
  r.created_at + make_interval(days => coalesce((a.settings ->> 'moderationDays')::integer, 3))
from replies r join contributions c on c.site_id = r.site_id and c.id = r.contribution_id
join activities a on a.site_id = c.site_id and a.id = c.activity_id
where r.state = 'held';
