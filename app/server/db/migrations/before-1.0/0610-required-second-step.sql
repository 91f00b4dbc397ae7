-- A site may require two-step sign-in of people with a role, in sessions that begin from this moment on.
alter table sites add column second_step_required_since timestamptz;

-- Sessions of people with a role end 12 hours after they begin; those that are open get as long from now.
do $$
declare site record;
begin
  for site in select id from sites loop
    perform set_config('parley.site_id', site.id::text, true);
    update sessions s set ends_at = least(s.ends_at, now() + interval '12 hours'), expires_at = least(s.expires_at, now() + interval '12 hours')
      where s.site_id = site.id and exists (select from memberships m where m.site_id = s.site_id and m.user_id = s.user_id);
  end loop;
  perform set_config('parley.site_id', '', true);
end $$;
