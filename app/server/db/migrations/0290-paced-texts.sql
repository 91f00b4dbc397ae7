-- Until when the texts that were handed to a service take up the rate it allows: every process heeds it.
alter table installations add column paced_until timestamptz;
-- A code, a reply and a trial wait for no campaign.
create index sms_messages_first on sms_messages (site_id, next_attempt_at) where next_attempt_at is not null and campaign_id is null;
