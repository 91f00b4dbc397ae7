-- Large datasets: words are found by an index; the order by each column and the chart are computed once per copy.
create index city_dataset_rows_words on city_dataset_rows using gin (to_tsvector('simple', words));
alter table city_datasets add column drawn jsonb;          -- { label, values, points, groups } of the published copy, if it is large

create table city_dataset_orders (
  site_id uuid not null references sites (id),
  dataset_id uuid not null,
  version integer not null,
  key text not null,                                       -- of the column
  part integer not null,                                   -- a thousand positions each
  positions integer[] not null,                            -- row positions in ascending order of the column; rows without a value last
  filled integer not null,                                 -- rows of the whole copy that have a value
  primary key (site_id, dataset_id, version, key, part),
  foreign key (site_id, dataset_id) references city_datasets (site_id, id) on delete cascade
);
