-- Until when messages already sent use up the service's rate limit: every process respects it.
alter table installations add column paced_until timestamptz;
-- Codes, replies and test messages do not wait for campaigns.
create index sms_messages_first on sms_messages (site_id, next_attempt_at) where next_attempt_at is not null and campaign_id is null;
