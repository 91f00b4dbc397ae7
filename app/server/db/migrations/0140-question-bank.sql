-- Questions kept to be asked again in other surveys of the site. Each is a question of a definition without rules, which belong to the
-- survey it came from. Standard questions about people come with the product, and have no rows.
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
