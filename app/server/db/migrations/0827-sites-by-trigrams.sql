-- A platform searches its sites by name, short name and domain in one column, which has an index.
alter table sites drop column search_name;
alter table sites add column hosts text not null default ''; -- its domains; kept by a trigger
update sites set hosts = coalesce((select string_agg(host, ' ' order by host) from site_domains where site_id = sites.id), '');
alter table sites add column search_text text not null generated always as (
  translate(lower(name), 'àâäáãåçéèêëíìîïñóòôöõúùûüýÿŵŷ', 'aaaaaaceeeeiiiinooooouuuuyywy') || ' ' || slug || ' ' || hosts) stored;
create index sites_search on sites using gin (search_text gin_trgm_ops);

create function keep_hosts_of_site() returns trigger language plpgsql as $$
begin
  update sites set hosts = coalesce((select string_agg(host, ' ' order by host) from site_domains where site_id = sites.id), '')
  where id in (old.site_id, new.site_id);
  return null;
end $$;
create trigger keep_hosts_of_site after insert or delete or update of host, site_id on site_domains
  for each row execute function keep_hosts_of_site();
