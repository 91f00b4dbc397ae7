-- Colleagues also comment on events, budgets, the homepage and the pages of departments, and have tasks about them.
-- The id of the homepage is the site's, and that of a department's page the department's.

alter table team_comments drop constraint team_comments_target_kind_check;
alter table team_comments add constraint team_comments_target_kind_check check (target_kind in
  ('project', 'activity', 'survey', 'page', 'report', 'contribution', 'event', 'budget', 'homepage', 'hub-page'));
alter table team_comments drop constraint team_comments_check;
alter table team_comments add constraint team_comments_check check (target_kind in ('page', 'homepage', 'hub-page') or project_id is not null);
alter table team_comments
  add column event_id uuid generated always as (case when target_kind = 'event' then target_id end) stored,
  add column round_id uuid generated always as (case when target_kind = 'budget' then target_id end) stored,
  add column hub_id uuid generated always as (case when target_kind = 'hub-page' then target_id end) stored;
alter table team_comments add foreign key (site_id, event_id) references events (site_id, id) on delete cascade;
alter table team_comments add foreign key (site_id, round_id) references budget_rounds (site_id, id) on delete cascade;
alter table team_comments add foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade;
create index team_comments_event on team_comments (site_id, event_id) where event_id is not null;
create index team_comments_round on team_comments (site_id, round_id) where round_id is not null;
create index team_comments_hub on team_comments (site_id, hub_id) where hub_id is not null;

alter table team_tasks drop constraint team_tasks_target_kind_check;
alter table team_tasks add constraint team_tasks_target_kind_check check (target_kind in
  ('project', 'activity', 'survey', 'page', 'report', 'contribution', 'event', 'budget', 'homepage', 'hub-page'));
alter table team_tasks drop constraint team_tasks_check;
alter table team_tasks add constraint team_tasks_check check (target_kind in ('page', 'homepage', 'hub-page') or project_id is not null);
alter table team_tasks
  add column event_id uuid generated always as (case when target_kind = 'event' then target_id end) stored,
  add column round_id uuid generated always as (case when target_kind = 'budget' then target_id end) stored,
  add column hub_id uuid generated always as (case when target_kind = 'hub-page' then target_id end) stored;
alter table team_tasks add foreign key (site_id, event_id) references events (site_id, id) on delete cascade;
alter table team_tasks add foreign key (site_id, round_id) references budget_rounds (site_id, id) on delete cascade;
alter table team_tasks add foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade;
create index team_tasks_event on team_tasks (site_id, event_id) where event_id is not null;
create index team_tasks_round on team_tasks (site_id, round_id) where round_id is not null;
create index team_tasks_hub on team_tasks (site_id, hub_id) where hub_id is not null;
