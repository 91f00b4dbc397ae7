-- Notifications: a review that was returned is news for who asked for it.
drop index audit_events_news;
create index audit_events_news on audit_events (site_id, at) where action in (
  'projects.request-review', 'projects.request-changes-review', 'projects.return', 'projects.publish', 'projects.publish-changes',
  'memberships.create', 'memberships.delete');
