-- Postcodes that people may declare to take part: those of the site's areas, and a list of whole ones or beginnings.
create table postcode_settings (
  site_id uuid not null primary key,
  postcodes text[] not null default '{}',
  uses_areas boolean not null default false,
  lock_version integer not null default 1,
  updated_at timestamptz not null,
  foreign key (site_id) references sites (id) on delete cascade
);

alter table verifications drop constraint verifications_method_check;
alter table verifications add constraint verifications_method_check
  check (method in ('list', 'in_person', 'code', 'text', 'provider', 'postcode'));
