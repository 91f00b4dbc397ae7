-- Decisions of a body about an option, which stand beside the calculated result.
create table budget_overrides (
  site_id uuid not null,
  id uuid not null,
  round_id uuid not null,
  option_id uuid not null,
  is_funded boolean not null,
  body jsonb not null,                             -- who decided it, such as the council
  reason jsonb not null,
  created_by uuid,
  created_at timestamptz not null,
  primary key (site_id, id),
  unique (site_id, option_id),
  foreign key (site_id, round_id) references budget_rounds (site_id, id) on delete cascade,
  foreign key (site_id, option_id) references budget_options (site_id, id) on delete cascade,
  foreign key (site_id, created_by) references users (site_id, id) on delete set null (created_by)
);
create index budget_overrides_round on budget_overrides (site_id, round_id);

call content_of('budget_overrides');
