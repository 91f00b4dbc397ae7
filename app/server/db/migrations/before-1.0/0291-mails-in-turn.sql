-- A sign-in link does not wait for newsletters, and is found without scanning one.
create index outbox_mails_first on outbox_mails (site_id, next_attempt_at) where sent_at is null and fault is null and campaign_id is null;
