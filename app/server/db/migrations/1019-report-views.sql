-- Reports that are kept under a name: for the person who made them, a department or the whole site. Shared pages and mails show what the
-- person who made one may see, and end with their account.
create table report_views (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,                          -- who made it
  audience text not null check (audience in ('self', 'hub', 'site')),
  hub_id uuid,
  name text not null,
  query text not null,                            -- filter, period and sections, as in the report's address
  language text not null,                         -- of the mails
  schedule text not null default 'none' check (schedule in ('none', 'weekly', 'monthly')),
  recipients text[] not null default '{}',
  next_at timestamptz,                            -- when it is mailed next
  created_at timestamptz not null,
  primary key (site_id, id),
  constraint report_views_name unique (site_id, user_id, name),
  check ((audience = 'hub') = (hub_id is not null)),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade,
  foreign key (site_id, hub_id) references hubs (site_id, id) on delete cascade
);
create index report_views_hub on report_views (site_id, hub_id) where hub_id is not null;
create index report_views_due on report_views (next_at) where next_at is not null;

-- Links that show a report outside the administration. Only the hash of the secret is stored.
create table report_links (
  site_id uuid not null,
  id uuid not null,
  view_id uuid not null,
  secret_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (site_id, id),
  unique (site_id, secret_hash),
  foreign key (site_id, view_id) references report_views (site_id, id) on delete cascade
);
create index report_links_view on report_links (site_id, view_id, created_at);

-- What views of reports were kept as views of a table.
alter table saved_views no force row level security;
alter table users no force row level security;
insert into report_views (site_id, id, user_id, audience, name, query, language, created_at)
  select v.site_id, v.id, v.user_id, 'self', v.name, v.query, u.locale, v.created_at
  from saved_views v join users u on u.site_id = v.site_id and u.id = v.user_id where v.table_name = 'reports';
delete from saved_views where table_name = 'reports';

-- Adds one branch to `sites_with_work`, whatever the others are.
do $$
declare
  known text := pg_get_functiondef('sites_with_work(text, timestamptz)'::regprocedure);
  next_branch constant text := 'when ''make-response-blocks'' then';
begin
  if position(next_branch in known) = 0 then
    raise exception 'sites_with_work has no branch for make-response-blocks';
  end if;
  execute replace(known, next_branch, 'when ''mail-reports'' then
      return query select distinct v.site_id from report_views v where v.next_at <= sites_with_work.at;
    ' || next_branch);
end $$;
