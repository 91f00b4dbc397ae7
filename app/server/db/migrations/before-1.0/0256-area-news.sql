-- A home area is used for counting responses. It may only select people for newsletters and text messages if they also agreed to that.
alter table home_areas add column news_consented_at timestamptz;
