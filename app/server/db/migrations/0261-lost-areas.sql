-- An area that its source no longer has, while projects lie in it or people live in it: it stays until somebody who runs the site removes it.
alter table areas add column gone_at timestamptz;
