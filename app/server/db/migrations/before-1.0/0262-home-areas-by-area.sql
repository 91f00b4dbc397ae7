-- Residents of an area, for results filtered by area.
create index home_areas_area on home_areas (site_id, area_id);
