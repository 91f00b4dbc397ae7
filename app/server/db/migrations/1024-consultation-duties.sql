-- What the law asks of a consultation: recorded for each project of the sites that switch it on.
alter table sites
  add column duties text not null default 'none' check (duties in ('none', 'gunning', 'gunning-welsh')),
  add column duty_days integer not null default 42 check (duty_days between 1 and 365);
call content_of('sites', ignored => '{content_version,hosts}');
-- As before: nothing was kept of a new site, and nothing may refer to one that is gone.
drop trigger content_added on sites;
drop trigger content_deleted on sites;

create table consultation_duties (
  site_id uuid not null,
  project_id uuid not null,
  open_to_change text not null default '',
  not_open text not null default '',
  reasons text not null default '',
  equality text not null default '',
  welsh_effects text not null default '',
  effects_question jsonb,                         -- {survey, question}: asks about effects on the Welsh language
  improvements_question jsonb,                    -- asks how they could be more positive or less adverse
  lock_version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (site_id, project_id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);

-- Why something was published although a duty was not met.
create table duty_waivers (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  act text not null check (act in ('project', 'decisions')),
  missing text[] not null,
  reason text not null,
  created_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index duty_waivers_project on duty_waivers (site_id, project_id, created_at);
