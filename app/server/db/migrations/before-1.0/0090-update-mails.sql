-- A project update is mailed to the project's followers once. Updates published earlier count as mailed.
alter table project_updates add column notified_at timestamptz;
update project_updates set notified_at = published_at where published_at <= now();
create index project_updates_untold on project_updates (site_id, published_at) where notified_at is null;

-- One-click unsubscribe address, for the List-Unsubscribe header.
alter table outbox_mails add column leave_url text;
