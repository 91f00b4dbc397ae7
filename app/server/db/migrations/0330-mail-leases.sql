-- Which lot a mail was claimed with: a process hands over only mails whose lease is still its own, however late it comes to them.
alter table outbox_mails add column lease uuid;
