-- What searching for people compares: name and address folded, kept by the database so that no writer can forget it.
alter table users add column search_text text not null generated always as (
  translate(lower(login || ' ' || email), 'àâäáãåçéèêëíìîïñóòôöõúùûüýÿŵŷ', 'aaaaaaceeeeiiiinooooouuuuyywy')
) stored;
create index users_created on users (site_id, created_at, id);
create index users_seen on users (site_id, last_seen_at desc nulls last, id);
create index users_login on users (site_id, login, id);
create index memberships_hub on memberships (site_id, hub_id) where hub_id is not null;
create index memberships_project on memberships (site_id, project_id) where project_id is not null;

-- Groups and tags: of the whole site, or of one hub. With a rule, whoever it fits belongs; without, whoever was put in.
create table people_groups (
  site_id uuid not null references sites (id),
  id uuid not null,
  hub_id uuid,
  kind text not null default 'group',               -- group | tag
  name text not null,
  rule jsonb,
  lock_version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade
);
create index people_groups_hub on people_groups (site_id, hub_id);

create table people_group_members (
  site_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (site_id, group_id, user_id),
  foreign key (site_id, group_id) references people_groups (site_id, id) on delete cascade,
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index people_group_members_user on people_group_members (site_id, user_id);
