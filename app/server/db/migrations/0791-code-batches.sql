-- Letters with codes: they verify the people who receive them.
create table code_batches (
  site_id uuid not null,
  id uuid not null,
  name text not null,                                  -- for administrators only
  level text not null check (level in ('contact', 'resident', 'identity')),
  total integer not null,
  valid_until timestamptz not null,                    -- then it goes, with what it proved
  ended_at timestamptz,                                -- since then no unused code of it can be used
  created_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id) references sites (id) on delete cascade
);

-- One code of a letter: its hash, keyed with the server's secret.
create table verification_codes (
  site_id uuid not null,
  hash bytea not null,
  batch_id uuid not null,
  primary key (site_id, hash),
  foreign key (site_id, batch_id) references code_batches (site_id, id) on delete cascade
);
create index verification_codes_batch on verification_codes (site_id, batch_id);

alter table verifications add column batch_id uuid;
alter table verifications add foreign key (site_id, batch_id) references code_batches (site_id, id) on delete cascade;
alter table verifications drop constraint verifications_method_check;
alter table verifications drop constraint verifications_check1;
alter table verifications add constraint verifications_method_check check (method in ('list', 'in_person', 'code'));
alter table verifications add constraint verifications_list_check check ((list_id is not null) = (method = 'list'));
alter table verifications add constraint verifications_batch_check check ((batch_id is not null) = (method = 'code'));
create index verifications_batch on verifications (site_id, batch_id) where batch_id is not null;
create index verifications_subject on verifications (site_id, subject_hash);
