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
