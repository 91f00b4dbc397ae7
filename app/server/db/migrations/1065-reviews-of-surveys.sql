-- When a colleague was asked to review a survey's draft, and by which person. It is on no public page.
alter table surveys
  add column review_requested_at timestamptz,
  add column review_requested_by uuid;
call content_of('surveys', '{project_id,id}', '{responses_count,responses_numbered,lock_version,review_requested_at,review_requested_by}', $$this.status <> 'draft'$$);

-- Notifications about reviews of surveys and activities.
create index audit_events_review_news on audit_events (site_id, at) where action in (
  'surveys.request-review', 'surveys.return', 'surveys.publish',
  'activities.request-review', 'activities.return', 'activities.publish', 'activities.publish-changes');

-- What waits for a review, on each administrator's first page.
create index surveys_in_review on surveys (site_id) where review_requested_at is not null;
