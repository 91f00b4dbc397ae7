-- Lines and areas, which are few among points: whether one reaches into a box is asked without reading every point.
create index contributions_drawn on contributions (site_id, activity_id) where geometry->>'type' in ('LineString', 'Polygon');
