-- The index of what is published has what a page is sorted by and what the map counts, so that neither reads every row.
drop index contributions_published;
create index contributions_published on contributions (site_id, activity_id, published_at desc) include (id, number, submitted_at, lng, lat)
  where state = 'published';
