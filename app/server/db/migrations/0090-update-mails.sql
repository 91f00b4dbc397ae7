-- News of a project goes to its followers by mail, once. What was published before counts as told.
alter table project_updates add column notified_at timestamptz;
update project_updates set notified_at = published_at where published_at <= now();
create index project_updates_untold on project_updates (site_id, published_at) where notified_at is null;

-- Where one press stops such mails: for the List-Unsubscribe header.
alter table outbox_mails add column leave_url text;
