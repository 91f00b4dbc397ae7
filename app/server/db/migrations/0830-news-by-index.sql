-- News of a person's own contributions, and of what colleagues did, is found by index instead of among all cases and events of the site.
create index moderation_cases_contribution on moderation_cases (site_id, contribution_id);
create index audit_events_news on audit_events (site_id, at) where action in (
  'projects.request-review', 'projects.request-changes-review', 'projects.publish', 'projects.publish-changes', 'memberships.create',
  'memberships.delete');
