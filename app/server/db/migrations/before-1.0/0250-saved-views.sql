-- One person's saved views of admin tables, each with a name.
create table saved_views (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  table_name text not null,                            -- projects | people | responses
  survey_id uuid,                                      -- only for the table of responses
  name text not null,
  query text not null,                                 -- search, filters, sort and columns, as in the table's address
  created_at timestamptz not null,
  primary key (site_id, id),
  constraint saved_views_name unique nulls not distinct (site_id, user_id, table_name, survey_id, name),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);
