-- What colleagues say to each other about a draft, a contribution or a report, and what they have to do. Participants never see it.
-- A target is named by its kind and id; the generated columns let it take its comments and tasks with it when it is deleted. The id of a
-- report is its project's.
create table team_comments (
  site_id uuid not null,
  id uuid not null,
  target_kind text not null check (target_kind in ('project', 'activity', 'survey', 'page', 'report', 'contribution')),
  target_id uuid not null,
  project_id uuid check (target_kind = 'page' or project_id is not null), -- the project that the target is in
  activity_id uuid generated always as (case when target_kind = 'activity' then target_id end) stored,
  survey_id uuid generated always as (case when target_kind = 'survey' then target_id end) stored,
  page_id uuid generated always as (case when target_kind = 'page' then target_id end) stored,
  contribution_id uuid generated always as (case when target_kind = 'contribution' then target_id end) stored,
  author_id uuid,
  body text not null,                             -- empty once it is deleted
  created_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  resolved_at timestamptz,
  resolved_by uuid,
  lock_version integer not null default 1,
  primary key (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade,
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade,
  foreign key (site_id, page_id) references pages (site_id, id) on delete cascade,
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, author_id) references users (site_id, id) on delete set null (author_id),
  foreign key (site_id, resolved_by) references users (site_id, id) on delete set null (resolved_by)
);
create index team_comments_target on team_comments (site_id, target_kind, target_id, created_at);
create index team_comments_project on team_comments (site_id, project_id, created_at);
create index team_comments_activity on team_comments (site_id, activity_id) where activity_id is not null;
create index team_comments_survey on team_comments (site_id, survey_id) where survey_id is not null;
create index team_comments_page on team_comments (site_id, page_id) where page_id is not null;
create index team_comments_contribution on team_comments (site_id, contribution_id) where contribution_id is not null;
create index team_comments_author on team_comments (site_id, author_id) where author_id is not null;
create index team_comments_resolver on team_comments (site_id, resolved_by) where resolved_by is not null;

-- What a comment said before each change. It goes when its author deletes the comment.
create table team_comment_versions (
  site_id uuid not null,
  comment_id uuid not null,
  version integer not null,
  body text not null,
  written_at timestamptz not null,
  primary key (site_id, comment_id, version),
  foreign key (site_id, comment_id) references team_comments (site_id, id) on delete cascade
);

-- Who is mentioned in a comment, and so told of it.
create table team_mentions (
  site_id uuid not null,
  comment_id uuid not null,
  user_id uuid not null,
  mentioned_at timestamptz not null,
  primary key (site_id, comment_id, user_id),
  foreign key (site_id, comment_id) references team_comments (site_id, id) on delete cascade,
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index team_mentions_user on team_mentions (site_id, user_id, mentioned_at);

create table team_tasks (
  site_id uuid not null,
  id uuid not null,
  target_kind text not null check (target_kind in ('project', 'activity', 'survey', 'page', 'report', 'contribution')),
  target_id uuid not null,
  project_id uuid check (target_kind = 'page' or project_id is not null),
  activity_id uuid generated always as (case when target_kind = 'activity' then target_id end) stored,
  survey_id uuid generated always as (case when target_kind = 'survey' then target_id end) stored,
  page_id uuid generated always as (case when target_kind = 'page' then target_id end) stored,
  contribution_id uuid generated always as (case when target_kind = 'contribution' then target_id end) stored,
  title text not null,
  owner_id uuid,
  assigned_by uuid,
  assigned_at timestamptz,                        -- when the owner got it
  due_on date,                                    -- in the site's calendar
  done_at timestamptz,
  done_by uuid,
  created_by uuid,
  created_at timestamptz not null,
  lock_version integer not null default 1,
  primary key (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  foreign key (site_id, activity_id) references activities (site_id, id) on delete cascade,
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade,
  foreign key (site_id, page_id) references pages (site_id, id) on delete cascade,
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, owner_id) references users (site_id, id) on delete set null (owner_id),
  foreign key (site_id, assigned_by) references users (site_id, id) on delete set null (assigned_by),
  foreign key (site_id, done_by) references users (site_id, id) on delete set null (done_by),
  foreign key (site_id, created_by) references users (site_id, id) on delete set null (created_by)
);
create index team_tasks_target on team_tasks (site_id, target_kind, target_id, created_at);
create index team_tasks_project on team_tasks (site_id, project_id, due_on);
create index team_tasks_activity on team_tasks (site_id, activity_id) where activity_id is not null;
create index team_tasks_survey on team_tasks (site_id, survey_id) where survey_id is not null;
create index team_tasks_page on team_tasks (site_id, page_id) where page_id is not null;
create index team_tasks_contribution on team_tasks (site_id, contribution_id) where contribution_id is not null;
create index team_tasks_owner on team_tasks (site_id, owner_id) where owner_id is not null;
create index team_tasks_due on team_tasks (site_id, due_on) where due_on is not null and done_at is null;

-- Which mails of the team a person wants: without a row, all of them.
create table team_mails (
  site_id uuid not null,
  user_id uuid not null,
  mentions boolean not null default true,
  weekly boolean not null default true,
  weekly_for date,                                -- the Monday of the last week that was looked at for them
  primary key (site_id, user_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
