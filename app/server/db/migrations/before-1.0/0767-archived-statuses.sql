-- A status that contributions have or had is archived, not deleted: it is no longer offered, and they keep it.
alter table contribution_statuses add column archived boolean not null default false;
alter table contribution_statuses add column lock_version integer not null default 1;

create index contributions_status on contributions (site_id, status_id) where status_id is not null;
create index official_responses_status on official_responses (site_id, status_id) where status_id is not null;
