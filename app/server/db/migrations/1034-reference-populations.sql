-- How many people of each category live here, for the questions about people whose answers are compared with them.
create table reference_populations (
  site_id uuid not null,
  question_id uuid not null,
  source text not null,
  year integer not null check (year between 1900 and 2200),
  licence text not null,
  cells jsonb not null,                             -- category as the source names it, option, slug of an area or null, people
  lock_version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (site_id, question_id),
  foreign key (site_id, question_id) references profile_questions (site_id, id) on delete cascade
);
