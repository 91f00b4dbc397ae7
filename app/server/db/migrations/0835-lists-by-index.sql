-- The index of what is published has what a page is sorted by and what the map counts, so that neither reads every row.
drop index contributions_published;
create index contributions_published on contributions (site_id, activity_id, published_at desc) include (id, number, submitted_at, lng, lat)
  where state = 'published';

-- People are found by words in an index of their site. One of trigrams cannot be used: row-level security comes before `like`.
create index users_search on users (site_id) include (search_text, id, created_at);
