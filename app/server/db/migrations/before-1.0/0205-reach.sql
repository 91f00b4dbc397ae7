-- Site reach, stored as daily counts. A visitor is recognised for one day only, by a hash with that day's random salt; both are deleted at
-- the end of the day. Unlogged: after a crash, that day's visitors count as new, and no log keeps anything about them.
create unlogged table reach_salts (
  site_id uuid not null references sites (id),
  day date not null,                                -- in the site's calendar
  id uuid not null,                                 -- identifies the counts derived from it
  salt bytea not null,
  changed boolean not null default false,           -- new visits since the counts were last computed
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
  source text,                                      -- null if the visitor came from another page of the site
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
  campaign text not null,                           -- code of the campaign, or ''
  aware integer not null,
  informed integer not null,
  primary key (site_id, kind, place_id, day, salt_id, language, source, campaign)
);
create index reach_days_day on reach_days (site_id, day);

-- Responses by time across all surveys, for the number of responses since a given day.
create index responses_time on responses (site_id, submitted_at);
