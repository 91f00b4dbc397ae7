-- A platform lists and searches its sites by name.
alter table sites add column search_name text not null generated always as (
  translate(lower(name), 'àâäáãåçéèêëíìîïñóòôöõúùûüýÿŵŷ', 'aaaaaaceeeeiiiinooooouuuuyywy')) stored;
create index sites_name_en on sites ((name collate parley_en), id);
create index sites_name_fr_ca on sites ((name collate parley_fr_ca), id);
create index sites_name_cy on sites ((name collate parley_cy), id);
