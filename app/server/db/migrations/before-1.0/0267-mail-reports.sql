-- Mails that bounced after the mail service had accepted them.
alter table outbox_mails
  add column returned_at timestamptz,
  add column returned_as text;                             -- hard | soft
alter table campaigns add column returned integer not null default 0;   -- of its accepted mails; counted because mails are not kept forever
alter table mail_addresses
  add column id uuid not null default gen_random_uuid(),
  add column reported boolean not null default false;      -- reported by a bounce: a relay that accepts further mails proves nothing
create unique index mail_addresses_id on mail_addresses (site_id, id);
