-- An index of the words in searchable texts, so that a search compares each distinct word of a site once instead of every text.
create table search_words (
  site_id uuid not null references sites (id),
  word text collate "C" not null,                      -- normalised; kept after the last text with it is gone
  primary key (site_id, word)
);
create table search_places (
  site_id uuid not null references sites (id),
  word text collate "C" not null,
  subject_id uuid not null,                            -- of a project, hub, page, update or survey
  in_title boolean not null,
  primary key (site_id, word, subject_id)
);
create index search_places_subject on search_places (site_id, subject_id);

create function keep_search_places() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_places where site_id = old.site_id and subject_id = old.id;
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

do $$
declare
  searched text;
begin
  foreach searched in array array['projects', 'hubs', 'pages', 'project_updates', 'surveys'] loop
    execute format('create trigger keep_search_places after insert or delete or update of search_title, search_text on %I
      for each row execute function keep_search_places()', searched);
    -- Put back with the application's grants; the owner must see every site's rows.
    execute format('alter table %I no force row level security', searched);
    -- What was written before: folded, and now without what stands between words.
    execute format($f$update %I set
      search_title = translate(search_title, '.,;:!?()[]{}"''/\-–—…«»“”&#*_', repeat(' ', 40)),
      search_text = translate(search_text, '.,;:!?()[]{}"''/\-–—…«»“”&#*_', repeat(' ', 40))$f$, searched);
    execute format('drop index if exists %I', searched || '_search');
  end loop;
end $$;
