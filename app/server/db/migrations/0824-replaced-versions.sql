-- Which version of a project a change replaced. A save that began with that version knows the rest of the row without reading it again.
alter table projects add column replaced_version uuid;

create or replace function renew_row_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    new.replaced_version := old.row_version;
  end if;
  new.row_version := gen_random_uuid();
  return new;
end $$;
