-- Writes events as the next links of a site's chain, whose end is locked and changed once for all of them. An event's hash covers its number
-- between the two texts `before` and `after`.
create function link_audit_events(site uuid, events jsonb) returns void language plpgsql as $$
declare
  event jsonb;
  last_number bigint;
  last_hash bytea;
begin
  select sequence, hash into last_number, last_hash from audit_chains where site_id = site for update;
  if not found then
    insert into audit_chains (site_id) values (site) on conflict (site_id) do nothing;
    select sequence, hash into strict last_number, last_hash from audit_chains where site_id = site for update;
  end if;
  for event in select value from jsonb_array_elements(events) loop
    last_number := last_number + 1;
    last_hash := sha256(last_hash || convert_to((event ->> 'before') || last_number || (event ->> 'after'), 'UTF8'));
    insert into audit_events
      (site_id, id, at, actor_id, actor_role, action, subject_type, subject_id, hub_id, project_id, address, detail, sequence, hash)
    values (
      site, (event ->> 'id')::uuid, (event ->> 'at')::timestamptz, (event ->> 'actorId')::uuid, event ->> 'actorRole', event ->> 'action',
      event ->> 'subjectType', (event ->> 'subjectId')::uuid, (event ->> 'hubId')::uuid, (event ->> 'projectId')::uuid, event ->> 'address',
      event -> 'detail', last_number, last_hash
    );
  end loop;
  update audit_chains set sequence = last_number, hash = last_hash where site_id = site;
end $$;
