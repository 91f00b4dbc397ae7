-- Projects that people follow by email address, without an account. A row is only written once the address is confirmed.
create table email_follows (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  email text not null,
  locale text not null,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  constraint email_follows_address unique (site_id, project_id, email),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index email_follows_email on email_follows (site_id, email);
