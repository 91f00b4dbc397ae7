-- Words of large datasets are looked up in a separate list: row-level security evaluates its own condition first, so a full-text index
-- could not be used. Comparing plain text finds a page of the list at once.
drop index city_dataset_rows_words;

create table city_dataset_words (
  site_id uuid not null references sites (id),
  dataset_id uuid not null,
  version integer not null,
  part integer not null,                                   -- a few thousand places each, in word order
  first_word text collate "C" not null,
  last_word text collate "C" not null,
  words text[] collate "C" not null,
  positions integer[] not null,                            -- of the row with the word at the same index in `words`
  primary key (site_id, dataset_id, version, part),
  foreign key (site_id, dataset_id) references city_datasets (site_id, id) on delete cascade
);

-- Earlier copies have no such list: they are copied again.
update city_datasets set due_at = now(), validators = null where row_count > 100000;
