-- Over https our cookies got the prefix `__Host-`. On sites that are there already, those without it count until the last draft has expired.
alter table sites add column former_cookies_until timestamptz default now() + interval '60 days';
alter table sites alter column former_cookies_until drop default;
