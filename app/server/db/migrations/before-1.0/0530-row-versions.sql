-- What is shown of a project may be remembered for as long as its row and its dates stay as they are: any change gives it a version that was
-- never used before. By trigger, so that no import, job or later feature can forget it.
alter table projects add column row_version uuid not null default gen_random_uuid();

create function renew_row_version() returns trigger language plpgsql as $$
begin
  new.row_version := gen_random_uuid();
  return new;
end $$;
create trigger renew_row_version before insert or update on projects for each row execute function renew_row_version();

create function renew_versions_of_projects() returns trigger language plpgsql as $$
begin
  update projects set row_version = default from (select distinct site_id, project_id from touched) as t
  where projects.site_id = t.site_id and projects.id = t.project_id;
  return null;
end $$;
create trigger renew_versions_added after insert on project_dates referencing new table as touched
  for each statement execute function renew_versions_of_projects();
create trigger renew_versions_deleted after delete on project_dates referencing old table as touched
  for each statement execute function renew_versions_of_projects();
create trigger renew_versions_changed after update on project_dates referencing new table as touched
  for each statement execute function renew_versions_of_projects();
create trigger renew_versions_moved after update on project_dates referencing old table as touched
  for each statement execute function renew_versions_of_projects();
