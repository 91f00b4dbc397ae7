-- Colleagues also comment on events, budgets, the homepage and the pages of departments, and have tasks about them.
-- The id of the homepage is the site's, and that of a department's page the department's.
-- The checks of kinds go: changed ones would stand in the way of processes of the release before, so a later release may add them again.
alter table team_comments drop constraint team_comments_target_kind_check, drop constraint team_comments_check;
alter table team_tasks drop constraint team_tasks_target_kind_check, drop constraint team_tasks_check;

-- A target takes its comments and tasks with it, as the foreign keys of the other kinds do.
create function forget_teamwork() returns trigger language plpgsql as $$
begin
  delete from team_comments where site_id = old.site_id and target_kind = tg_argv[0] and target_id = old.id;
  delete from team_tasks where site_id = old.site_id and target_kind = tg_argv[0] and target_id = old.id;
  return null;
end $$;
create trigger teamwork_forgotten after delete on events for each row execute function forget_teamwork('event');
create trigger teamwork_forgotten after delete on budget_rounds for each row execute function forget_teamwork('budget');
create trigger teamwork_forgotten after delete on hubs for each row execute function forget_teamwork('hub-page');
