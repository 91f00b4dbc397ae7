-- Words of large datasets that occur in many rows: each with a bitmap of its rows, so that two such words can be combined at once.
do $$ begin
  execute format('create aggregate bits_at(bigint, integer) (sfunc = set_bit, stype = bytea, initcond = %L)', '\x' || repeat('00', 1024));
end $$;

create table city_dataset_common_words (
  site_id uuid not null references sites (id),
  dataset_id uuid not null,
  version integer not null,
  beginning text collate "C" not null,                     -- prefix of words, as short as possible; a whole word ends in a space
  longest text collate "C" not null,                       -- the longest prefix of the same words
  row_bits bytea not null,                                 -- bit n is the row at position n, least significant bit first
  primary key (site_id, dataset_id, version, beginning),
  foreign key (site_id, dataset_id) references city_datasets (site_id, id) on delete cascade
);

-- Earlier copies have no such words: they are copied again.
update city_datasets set due_at = now(), validators = null where row_count > 100000;
