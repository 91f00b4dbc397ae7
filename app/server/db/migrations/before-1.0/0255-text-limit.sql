-- A site's monthly limit of text messages.
alter table campaigns
  add column promised integer not null default 0,          -- number of messages counted against the limit when it was submitted for sending
  add column over_limit boolean not null default false;    -- paused because it would exceed the monthly limit
