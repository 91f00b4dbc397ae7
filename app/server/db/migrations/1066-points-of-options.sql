-- Where an option lies on the map, as the place of a contribution: degrees of WGS 84. Both are null, or neither is.
alter table budget_options
  add column lng double precision,
  add column lat double precision;

-- A point is fixed by the first ballot, like the place in words.
create or replace function keep_option_fixed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or (old.round_id, old.pot_id, old.number, old.title, old.text, old.cost, old.cost_note, old.place, old.lng, old.lat,
      old.exclusive_group, old.state)
    is distinct from (new.round_id, new.pot_id, new.number, new.title, new.text, new.cost, new.cost_note, new.place, new.lng, new.lat,
      new.exclusive_group, new.state) then
    perform require_no_ballots(new.site_id, new.round_id);
  end if;
  return new;
end $$;

call content_of('budget_options', ignored => '{lock_version,told,told_until,told_at}');
