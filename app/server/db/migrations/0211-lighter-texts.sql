-- What a hundred thousand texts of a campaign cost to write down. Looking its campaign up for each of them was a third of it; a campaign that
-- is gone counts as cancelled. The texts of a number are few: what asks it a survey is found among them.
alter table sms_messages drop constraint sms_messages_site_id_campaign_id_fkey;
drop index sms_messages_invitation;
