-- A reaction changes `supports` alone. While an index held that column, each one wrote the row anew into all eleven indexes; the list sorted
-- by support needs no index to put the ids of one activity in order.
drop index if exists contributions_supported;
alter table contributions set (fillfactor = 80);

-- The map counts places from the index alone, those that a search found too.
drop index contributions_placed;
create index contributions_placed on contributions (site_id, activity_id, lng, lat) include (id, number)
  where state = 'published' and lng is not null;

-- A word that thousands of texts have is counted from the index alone.
alter table search_places drop constraint search_places_pkey;
alter table search_places add primary key (site_id, word, subject_id) include (in_title);
