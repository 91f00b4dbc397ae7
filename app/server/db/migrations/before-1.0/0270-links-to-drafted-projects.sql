-- Draft links now cover projects too. They had their own table, which nothing wrote to.
drop table preview_links;

alter table draft_links add column project_id uuid;
alter table draft_links add foreign key (site_id, project_id) references projects (site_id, id) on delete cascade;
alter table draft_links drop constraint draft_links_subject_check;
alter table draft_links add constraint draft_links_subject_check
  check (subject in ('homepage', 'appearance', 'project') and (subject = 'project') = (project_id is not null));
