-- A project is also found by its outcome and by the answers to frequent questions; new saves write these words themselves.
alter table projects no force row level security;
alter table search_words no force row level security;
alter table search_places no force row level security;
with said as (
  select site_id, id, text from projects, lateral (
    select value as text from jsonb_each_text(case when jsonb_typeof(outcome) = 'object' then outcome else '{}' end)
    union all
    select words.value from jsonb_array_elements(case when jsonb_typeof(faqs) = 'array' then faqs else '[]' end) asked,
      lateral (select value from jsonb_each_text(coalesce(asked -> 'question', '{}')) union all
               select value from jsonb_each_text(coalesce(asked -> 'answer', '{}'))) words
  ) texts
), added as (
  select site_id, id, string_agg(distinct word, ' ') as words
  from said, regexp_split_to_table(lower(regexp_replace(normalize(text, NFD), '[\u0300-\u036f]', '', 'g')), '[^[:alnum:]]+') word
  where word <> '' group by site_id, id
)
update projects set search_text = concat_ws(' ', nullif(projects.search_text, ''), added.words)
from added where added.site_id = projects.site_id and added.id = projects.id;
alter table projects force row level security;
alter table search_words force row level security;
alter table search_places force row level security;
