-- One answer can be given to several contributions at once. Whoever wrote or follows several of them is told once.
alter table official_responses add column group_id uuid;  -- the same for all that were given together
create index official_responses_group on official_responses (site_id, group_id) where group_id is not null;
call content_of('official_responses', '{contribution_id}', '{told_until,told_at,tells,group_id,lock_version}');
