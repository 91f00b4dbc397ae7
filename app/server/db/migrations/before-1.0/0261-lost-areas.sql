-- An area that is no longer in its source but has projects or residents: it stays until an administrator removes it.
alter table areas add column gone_at timestamptz;
