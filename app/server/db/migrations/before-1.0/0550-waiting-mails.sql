-- Emails that wait because no email service is set up: how many, and since when.
alter table site_figures add column mails_waiting integer not null default 0;
alter table site_figures add column mails_waiting_since timestamptz;
