-- A file counts as the site's own once a response names it. Until then it has a budget of its survey and of the address it came from, of which
-- a keyed hash is kept that is forgotten when the file is sent.
alter table response_files add column sent_at timestamptz;
alter table response_files add column giver_hash bytea;
create index response_files_unsent on response_files (site_id, survey_id) where sent_at is null;
create index response_files_unsent_of_giver on response_files (site_id, giver_hash) where sent_at is null;
update response_files f set sent_at = f.touched_at
where exists (
  select 1 from responses r
  where r.site_id = f.site_id and r.id = f.held_by
    and r.answers -> f.question -> 'files' @> jsonb_build_array(jsonb_build_object('id', f.id)));
