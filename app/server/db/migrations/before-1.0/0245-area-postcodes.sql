-- Postcodes of an area, or their prefixes, in capitals without spaces: used to find the area for a person's postcode.
alter table areas add column postcodes text[] not null default '{}';
