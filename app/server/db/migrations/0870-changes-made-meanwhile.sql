-- The edit that a change of sent answers began from; null: the answers as they were first sent. A change that another device sent meanwhile is
-- not replaced without asking.
alter table response_drafts add column replaces_edit uuid;
alter table response_drafts no force row level security;
alter table responses no force row level security;
update response_drafts d set replaces_edit = r.edit_id from responses r
  where r.site_id = d.site_id and r.id = d.replaces and r.edit_id is not null;
