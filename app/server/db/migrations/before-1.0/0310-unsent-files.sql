-- A file counts towards the site's storage once a response refers to it. Until then it counts towards a budget of its survey and of the
-- network address it came from, stored as a keyed hash that is deleted when the file is submitted.
alter table response_files add column sent_at timestamptz;
alter table response_files add column giver_hash bytea;
create index response_files_unsent on response_files (site_id, survey_id) where sent_at is null;
create index response_files_unsent_of_giver on response_files (site_id, giver_hash) where sent_at is null;
update response_files f set sent_at = f.touched_at
where exists (
  select 1 from responses r
  where r.site_id = f.site_id and r.id = f.held_by
    and r.answers -> f.question -> 'files' @> jsonb_build_array(jsonb_build_object('id', f.id)));
