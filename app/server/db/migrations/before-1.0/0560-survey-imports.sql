-- What became of each part of the file that a survey was created from.
create table survey_imports (
  site_id uuid not null,
  survey_id uuid not null,
  format text not null check (format in ('parley', 'surveyjs', 'xlsform', 'limesurvey')),
  report jsonb not null,
  created_at timestamptz not null,
  primary key (site_id, survey_id),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);

alter table surveys add column imported_from text;
