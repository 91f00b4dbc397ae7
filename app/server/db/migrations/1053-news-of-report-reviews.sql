-- Notifications: reviews of reports are news as those of projects are.
drop index audit_events_news;
create index audit_events_news on audit_events (site_id, at) where action in (
  'projects.request-review', 'projects.request-changes-review', 'projects.return', 'projects.publish', 'projects.publish-changes',
  'heard-reports.request-review', 'heard-reports.return', 'heard-reports.publish',
  'memberships.create', 'memberships.delete');
