-- Files that are sent with mails: one for all mails of an occasion.
create table mail_files (
  site_id uuid not null references sites (id),
  id uuid not null,
  name text not null,
  media_type text not null,
  bytes bytea not null,
  created_at timestamptz not null,
  primary key (site_id, id)
);
create index mail_files_old on mail_files (site_id, created_at);

alter table outbox_mails add column file_id uuid;
alter table outbox_mails add foreign key (site_id, file_id) references mail_files (site_id, id) on delete set null (file_id);
create index outbox_mails_file on outbox_mails (site_id, file_id) where file_id is not null;
