-- A department made in the administration starts as a draft, without a date here. Those that exist stay published.
alter table hubs add column published_at timestamptz default now();
