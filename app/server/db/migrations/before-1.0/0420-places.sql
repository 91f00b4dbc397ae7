-- Where a contribution lies: as GeoJSON, and as the point at which its pin stands.
alter table contributions
  add column geometry jsonb,                           -- Point, LineString or Polygon in WGS 84
  add column lng double precision,
  add column lat double precision,
  add constraint contributions_pin check ((geometry is null) = (lng is null) and (lng is null) = (lat is null));
create index contributions_placed on contributions (site_id, activity_id, lng, lat) where state = 'published' and lng is not null;
