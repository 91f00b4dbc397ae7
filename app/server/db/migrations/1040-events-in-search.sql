-- Events are found by the words of their titles and texts, as updates are, and their translations are forgotten with them.
alter table events add column search_title text not null default '', add column search_text text not null default '';

create trigger keep_search_places after insert or delete or update of search_title, search_text on events
  for each row execute function keep_search_places();
create trigger translations_forgotten after delete on events for each row execute function forget_stale_translations();
create trigger machine_texts_forgotten after delete on events for each row execute function forget_machine_texts();

-- The words of what is there already, as `buildSearchFields` would make them.
create function pg_temp.event_words(texts jsonb[]) returns text language sql as $$
  select coalesce(string_agg(distinct word, ' '), '')
  from unnest(texts) text_in_languages
  cross join lateral jsonb_each_text(text_in_languages) given(language, said)
  cross join lateral regexp_split_to_table(
    replace(replace(replace(lower(regexp_replace(normalize(said, NFD), '[\u0300-\u036f]', '', 'g')), 'œ', 'oe'), 'æ', 'ae'), 'ß', 'ss'),
    '[^[:alnum:]]+') word
  where word <> ''
$$;
alter table events no force row level security;
alter table search_words no force row level security;
alter table search_places no force row level security;
update events set search_title = pg_temp.event_words(array[title]), search_text = pg_temp.event_words(array[title, description, place, access_info]);
alter table events force row level security;
alter table search_words force row level security;
alter table search_places force row level security;
drop function pg_temp.event_words(jsonb[]);

call content_of('events', '{project_id}', '{lock_version,updated_at}', $$this.status <> 'draft'$$);
