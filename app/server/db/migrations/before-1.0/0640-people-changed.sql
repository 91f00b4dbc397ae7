-- Web processes remember for a second who a session belongs to and what they may; they hear at once when that changes.
create function tell_people_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_people', coalesce(new.site_id, old.site_id)::text);
  return null;
end $$;
create trigger tell_people_changed after delete or update of confirmed_at on sessions for each row execute function tell_people_changed();
create trigger tell_people_changed after delete or update of email, login, type, email_confirmed_at, blocked_at, second_step_since on users
  for each row execute function tell_people_changed();
create trigger tell_people_changed after insert or delete or update on memberships for each row execute function tell_people_changed();
create trigger tell_people_changed after insert or delete or update on project_members for each row execute function tell_people_changed();
create trigger tell_people_changed after insert or delete or update on support_grants for each row execute function tell_people_changed();
