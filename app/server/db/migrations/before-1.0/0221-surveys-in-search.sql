-- The site's search finds surveys as well as projects. Existing surveys are found by their unnormalised words until they are next changed.
alter table surveys add column search_title text not null default '', add column search_text text not null default '';
update surveys set
  search_title = lower(coalesce((select string_agg(value, ' ') from jsonb_each_text(title)), '')),
  search_text = lower(coalesce((select string_agg(value, ' ') from jsonb_each_text(title)), '') || ' '
    || coalesce((select string_agg(value, ' ') from jsonb_each_text(intro)), ''));
