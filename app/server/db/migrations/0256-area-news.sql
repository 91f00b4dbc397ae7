-- Where somebody lives counts answers. Only who agreed to this besides is chosen by it for newsletters and texts.
alter table home_areas add column news_consented_at timestamptz;
