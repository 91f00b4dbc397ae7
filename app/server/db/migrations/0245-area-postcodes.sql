-- Postcodes that lie in an area, or their beginnings, in capitals without spaces: where a person's own is looked up.
alter table areas add column postcodes text[] not null default '{}';
