-- Feature switches (app/features/feature-switches/feature-switches.schema.ts): off until the platform or a site turns them on.

insert into features (name, kind) values
  ('marketplace_sms_integration', 'feature'),
  ('show_revised_survey', 'feature'),
  ('segment_analytics_admin', 'feature'),
  ('segment_analytics_participant', 'feature'),
  ('whitelist-embed', 'site')
on conflict (name) do nothing;
