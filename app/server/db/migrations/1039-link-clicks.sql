-- Links of newsletters and text messages, as they were sent. Their short addresses lead only to these, for as long as the campaign exists.
create table message_links (
  site_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  code text not null,                             -- in its short address
  language text not null,                         -- of the message
  url text not null,
  created_at timestamptz not null,
  primary key (site_id, id),
  unique (site_id, code),
  foreign key (site_id, campaign_id) references campaigns (site_id, id) on delete cascade
);
create unique index message_links_campaign on message_links (site_id, campaign_id, language, md5(url));

-- How often each was opened on a day of the site. Nobody can be recognised in it.
create table link_clicks (
  site_id uuid not null,
  link_id uuid not null,
  day date not null,
  clicks integer not null check (clicks > 0),
  primary key (site_id, link_id, day),
  foreign key (site_id, link_id) references message_links (site_id, id) on delete cascade
);
