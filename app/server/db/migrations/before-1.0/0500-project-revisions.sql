-- Versions of what a project says. The published one is also stored in the project's row, which its page reads.
create table project_revisions (
  site_id uuid not null references sites (id),
  id uuid not null,
  project_id uuid check (project_id is not null),      -- queries share it with the hub of other versions, which may be null
  parent_id uuid,
  content jsonb not null,                              -- the texts, picture, place, team, FAQs and key dates, named as in the API
  note text not null default '',
  created_by uuid,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  published_by uuid,
  announced_at timestamptz,
  waived jsonb not null default '[]',
  primary key (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index project_revisions_newest on project_revisions (site_id, project_id, created_at desc);
create index project_revisions_live on project_revisions (site_id, project_id, published_at desc);

alter table revision_heads drop constraint revision_heads_subject_check;
alter table revision_heads add constraint revision_heads_subject_check check (subject in ('homepage', 'appearance', 'project'));
alter table revision_heads add column has_changes boolean not null default false; -- the draft says something else than what is published
alter table revision_heads add column review_requested_at timestamptz;            -- somebody who may not publish asked for it
alter table revision_heads add column review_requested_by uuid;

alter table editor_presences drop constraint editor_presences_subject_check;
alter table editor_presences add constraint editor_presences_subject_check check (subject in ('homepage', 'appearance', 'project'));
