-- Makes writing a hundred thousand messages of a campaign cheaper. The foreign key check took a third of the time; a missing campaign
-- counts as cancelled. One number has few messages, so the one that invites it to a survey is found among them.
alter table sms_messages drop constraint sms_messages_site_id_campaign_id_fkey;
drop index sms_messages_invitation;
