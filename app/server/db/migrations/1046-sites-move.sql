-- Sites move between installations (decision 0278).
alter table sites add column sealed_key text;          -- what signs its links and receipts; null: the installation's own key
alter table sites add column moved_to text;            -- the origin that answers for it since it moved away
alter table sites add column import_id uuid;           -- of the file that it came from
call content_of('sites', ignored => '{content_version,hosts,sealed_key,import_id}');
-- Nothing was kept of a new site, and nothing may refer to one that is gone.
drop trigger content_added on sites;
drop trigger content_deleted on sites;

-- Nobody has read a site that is being imported: its rows change nothing that anybody has seen.
create or replace function record_content_change(site uuid, shown_as text, scopes uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if current_setting('parley.importing_site', true) = site::text then
    return;
  end if;
  insert into content_changes (site_id, table_name, scope_id)
  select site, shown_as, s.id from (select distinct coalesce(i, '00000000-0000-0000-0000-000000000000') as id from unnest(scopes) as i) as s
  where not exists (
      select from content_changes c where c.site_id = site and c.version is null and c.table_name = shown_as and c.scope_id = s.id)
    and not exists (select from site_deletions d where d.id = site and d.state = 'erasing');
end $$;

-- A site that moved away may be deleted; if that is cancelled, its addresses go on leading to where it is.
alter table site_deletions drop constraint site_deletions_was_check;
alter table site_deletions add constraint site_deletions_was_check check (was in ('active', 'suspended', 'moving', 'moved'));
