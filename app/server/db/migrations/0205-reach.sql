-- Who a site reaches. What is kept are counts by day; a visitor is known for one day alone, by a hash with that day's random salt, and both are
-- deleted when the day is over. Unlogged: after a crash that day's visitors are counted as new ones, and nothing of them outlives it in a log.
create unlogged table reach_salts (
  site_id uuid not null references sites (id),
  day date not null,                                -- of the site's calendar
  id uuid not null,                                 -- names the counts that came of it
  salt bytea not null,
  changed boolean not null default false,           -- visits came since the counts were last worked out
  primary key (site_id, day)
);

create unlogged table reach_visits (
  site_id uuid not null,
  day date not null,
  visitor bytea not null,
  kind text not null,                               -- site | hub | topic | project
  place_id uuid not null,
  informed boolean not null,
  language text not null,
  source text,                                      -- none where the visitor came from a page of the site
  campaign text,
  primary key (site_id, day, visitor, kind, place_id),
  foreign key (site_id, day) references reach_salts (site_id, day) on delete cascade
);

create table reach_days (
  site_id uuid not null references sites (id),
  kind text not null,
  place_id uuid not null,
  day date not null,
  salt_id uuid not null,
  language text not null,
  source text not null,                             -- direct | search | social | email | campaign | site
  campaign text not null,                           -- code of the campaign, or nothing
  aware integer not null,
  informed integer not null,
  primary key (site_id, kind, place_id, day, salt_id, language, source, campaign)
);
create index reach_days_day on reach_days (site_id, day);

-- Answers by time, whatever their survey: for what a site was told since a day.
create index responses_time on responses (site_id, submitted_at);
