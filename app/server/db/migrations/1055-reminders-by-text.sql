-- Who wants to be reminded of an event by text message too, at the number of their account.
alter table event_sign_ups add column remind_by_text boolean not null default false;
