-- The sign-up that a queued reminder of an event is about. Before each attempt to send it, it is checked that the reminder still holds.
-- No foreign key: a reminder must not be sent either if its sign-up is gone.
alter table sms_messages add column sign_up_id uuid;
alter table outbox_mails add column sign_up_id uuid;
