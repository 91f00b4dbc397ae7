-- The batch that a mail was claimed with: a process only sends mails whose lease is still its own, however late it gets to them.
alter table outbox_mails add column lease uuid;
