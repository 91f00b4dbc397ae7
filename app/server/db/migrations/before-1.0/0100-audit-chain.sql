-- The audit trail is a hash chain per site: each line is numbered and carries a hash of itself and the previous line.
alter table audit_events no force row level security; -- the owner must see every site's lines; the application's grants restore this
alter table audit_events add column sequence bigint, add column hash bytea;
update audit_events e set sequence = n.number, hash = ''
  from (select site_id, id, row_number() over (partition by site_id order by at, id) as number from audit_events) n
  where n.site_id = e.site_id and n.id = e.id;
alter table audit_events
  alter column sequence set not null,
  alter column hash set not null,
  add unique (site_id, sequence);

-- The end of each site's chain, and the number of lines that are older than the chain.
create table audit_chains (
  site_id uuid primary key references sites (id),
  begins_after bigint not null default 0,
  sequence bigint not null default 0,
  hash bytea not null default ''
);
insert into audit_chains (site_id, begins_after, sequence) select site_id, max(sequence), max(sequence) from audit_events group by site_id;

drop index audit_events_recent;
create index audit_events_at on audit_events (site_id, at);
create index audit_events_actor on audit_events (site_id, actor_id, sequence desc);
create index audit_events_subject on audit_events (site_id, subject_id, sequence desc);
create index audit_events_hub on audit_events (site_id, hub_id, sequence desc);
create index audit_events_project on audit_events (site_id, project_id, sequence desc);
