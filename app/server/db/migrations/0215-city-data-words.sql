-- Words of large city data are looked up in a list of their own: an index of words cannot be used below row-level security, whose condition
-- comes first. Compared as plain text, a page of the list is found at once.
drop index city_dataset_rows_words;

create table city_dataset_words (
  site_id uuid not null references sites (id),
  dataset_id uuid not null,
  version integer not null,
  part integer not null,                                   -- some thousand places each, in the order of the words
  first_word text collate "C" not null,
  last_word text collate "C" not null,
  words text[] collate "C" not null,
  positions integer[] not null,                            -- of the row that has the word at the same place of `words`
  primary key (site_id, dataset_id, version, part),
  foreign key (site_id, dataset_id) references city_datasets (site_id, id) on delete cascade
);

-- Copies made before have no such list: they are made anew.
update city_datasets set due_at = now(), validators = null where row_count > 100000;
