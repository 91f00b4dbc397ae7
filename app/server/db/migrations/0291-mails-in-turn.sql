-- A link to sign in waits for no newsletter, and is found without looking through one.
create index outbox_mails_first on outbox_mails (site_id, next_attempt_at) where sent_at is null and fault is null and campaign_id is null;
