-- Nothing asks which version of a project a change replaced.
create or replace function renew_row_version() returns trigger language plpgsql as $$
begin
  new.row_version := gen_random_uuid();
  return new;
end $$;

alter table projects drop column replaced_version;
