-- A code texted to a number that somebody says is theirs. The number itself is kept only in the text, until it is sent.
create table verification_texts (
  site_id uuid not null,
  id uuid not null,
  phone_hash bytea not null,                           -- keyed with the server's secret
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id) references sites (id) on delete cascade
);
create index verification_texts_end on verification_texts (site_id, expires_at);

alter table verifications drop constraint verifications_method_check;
alter table verifications add constraint verifications_method_check check (method in ('list', 'in_person', 'code', 'text'));
