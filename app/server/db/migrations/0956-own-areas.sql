-- Areas that an administrator uploads or draws, beside those of a dataset.
alter table areas alter column dataset_id drop not null;
alter table areas add column names jsonb not null default '{}';     -- by language; `name` stands for those that it lacks
alter table areas add column key text;                              -- what its source calls it, such as the code of a ward
alter table areas add column lock_version integer not null default 1;
call content_of('areas', ignored => '{lock_version}');
