-- A save that leaves the searchable texts as they are leaves their words alone: comparing all of them was most of the work of such a save.
create or replace function keep_search_places() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_places where site_id = old.site_id and subject_id = old.id;
    return null;
  end if;
  if tg_op = 'UPDATE' and old.search_title = new.search_title and old.search_text = new.search_text then
    return null;
  end if;
  with standing as (
    select word, bool_or(in_title) as in_title
    from (select word collate "C" as word, true as in_title from unnest(string_to_array(new.search_title, ' ')) word
          union all select word collate "C", false from unnest(string_to_array(new.search_text, ' ')) word) words
    where word <> '' and length(word) <= 100
    group by word
  ), gone as (
    delete from search_places where site_id = new.site_id and subject_id = new.id and word not in (select word from standing)
  ), known as (
    insert into search_words (site_id, word) select new.site_id, word from standing order by word on conflict do nothing
  )
  insert into search_places (site_id, word, subject_id, in_title) select new.site_id, word, new.id, in_title from standing order by word
  on conflict (site_id, word, subject_id) do update set in_title = excluded.in_title where search_places.in_title <> excluded.in_title;
  return null;
end $$;
