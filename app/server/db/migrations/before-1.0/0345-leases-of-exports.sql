-- The worker that makes the file: one that was considered dead must not finish it after another has started again.
alter table survey_exports add column lease uuid;
-- When its last piece came: uploads are deleted once nothing has been added for two days.
alter table media_uploads add column touched_at timestamptz;
