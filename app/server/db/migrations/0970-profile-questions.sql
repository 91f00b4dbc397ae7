-- What a site asks people about themselves, and their answers.
create table profile_questions (
  site_id uuid not null references sites (id),
  id uuid not null,
  key text not null,
  type text not null check (type in ('one-choice', 'several-choices', 'year-of-birth', 'area', 'postcode', 'short-text')),
  label jsonb not null,
  help jsonb not null default '{}',
  purpose jsonb not null,                           -- why it is asked: one sentence that everybody asked can read
  options jsonb not null default '[]',              -- id, label in each language, and whether it is retired
  position integer not null default 0,
  required boolean not null default false,
  sensitive boolean not null default false,
  asked_at text not null check (asked_at in ('sign-up', 'after-first-answer', 'account-only')),
  retention_months integer not null check (retention_months between 1 and 120),
  status text not null check (status in ('draft', 'live', 'retired')),
  lock_version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, key),
  check (not (required and sensitive))
);

create table profile_answers (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  question_id uuid not null,
  answer jsonb not null,                            -- as the questionnaire stores an answer
  answered_at timestamptz not null default now(),
  source text not null check (source in ('person', 'staff', 'import', 'identity-provider')),
  primary key (site_id, id),
  unique (site_id, user_id, question_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, question_id) references profile_questions (site_id, id) on delete cascade
);
create index profile_answers_age on profile_answers (site_id, question_id, answered_at);

-- What lists and results are filtered by: an option, an area's slug, or a year of birth. Words that somebody wrote are not here.
create table profile_answer_options (
  site_id uuid not null,
  question_id uuid not null,
  option text not null,
  user_id uuid not null,
  primary key (site_id, question_id, option, user_id),
  foreign key (site_id, user_id, question_id) references profile_answers (site_id, user_id, question_id) on delete cascade on update cascade
);
create index profile_answer_options_person on profile_answer_options (site_id, user_id, question_id);

call content_of('profile_questions');
