-- A site's monthly limit of text messages.
alter table campaigns
  add column promised integer not null default 0,          -- texts it was counted as when it was given up for sending
  add column over_limit boolean not null default false;    -- paused, since it would have passed the month's limit
