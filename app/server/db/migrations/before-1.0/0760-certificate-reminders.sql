-- When the site's administrators were last told that the provider's certificates end.
alter table identity_providers add column reminded_at timestamptz;
