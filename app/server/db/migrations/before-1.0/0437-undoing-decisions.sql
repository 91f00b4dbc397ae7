-- What a decision changed, so that whoever took it can take it back within seconds. Mails about it wait for so long, and go with it.
alter table moderation_decisions add column before jsonb;
alter table outbox_mails add column decision_id uuid;
create index outbox_mails_decision on outbox_mails (site_id, decision_id) where decision_id is not null and sent_at is null;
