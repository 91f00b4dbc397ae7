-- Who may enter a project. Somebody invited by email is known only by that address until they first open the project.
alter table project_members add column id uuid not null default gen_random_uuid();
alter table project_members add column opened_at timestamptz default now();
alter table project_members add constraint project_members_id unique (site_id, id);
