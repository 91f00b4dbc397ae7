-- Who lives in an area, where results are narrowed to it.
create index home_areas_area on home_areas (site_id, area_id);
