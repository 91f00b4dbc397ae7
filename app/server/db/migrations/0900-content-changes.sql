-- What of a site's content changed in which version of it. Each table that pages show says so once, by `content_of`: no writer has to remember it.
-- Unlogged: after a crash or a restored backup, a version without rows counts as a change of everything.
create unlogged table content_changes (
  site_id uuid not null references sites (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  version bigint,                                 -- of the site's content; null until the transaction commits
  table_name text not null,
  scope_id uuid not null,                         -- a row that it belongs to, or itself; all zeros: the whole table
  primary key (site_id, id)
);
create index content_changes_versions on content_changes (site_id, version);
create index content_changes_pending on content_changes (site_id, table_name, scope_id) where version is null;

create function record_content_change(site uuid, shown_as text, scopes uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into content_changes (site_id, table_name, scope_id)
  select site, shown_as, s.id from (select distinct coalesce(i, '00000000-0000-0000-0000-000000000000') as id from unnest(scopes) as i) as s
  where not exists (
      select from content_changes c where c.site_id = site and c.version is null and c.table_name = shown_as and c.scope_id = s.id)
    and not exists (select from site_deletions d where d.id = site and d.state = 'erasing');
end $$;

-- At commit, once for each site, whatever the transaction wrote: the site's row is locked last, and only while the database commits.
create function publish_content_changes() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  reached bigint;
begin
  if not exists (select from content_changes where site_id = new.site_id and id = new.id and version is null) then
    return null;
  end if;
  update sites set content_version = content_version + 1 where id = new.site_id returning content_version into reached;
  update content_changes set version = reached where site_id = new.site_id and version is null;
  delete from content_changes where site_id = new.site_id and version <= reached - 1000;
  perform pg_notify('parley_content', new.site_id::text);
  return null;
end $$;
create constraint trigger publish_content_changes after insert on content_changes deferrable initially deferred
  for each row execute function publish_content_changes();

-- Declares that pages show a table. Its changes are recorded for the whole table, and for the rows in the columns `scopes`, so that a page of one
-- project need not end with another's. Columns in `ignored` are not shown, or only as of a minute ago. `shown` says whether a row can be on a page,
-- with `this` for the row. `shown_as` are the tables whose readers are concerned, if it is not the table itself.
create procedure content_of(
  content regclass, scopes text[] default '{}', ignored text[] default '{}', shown text default 'true', shown_as text[] default null)
language plpgsql as $$
declare
  fn text := 'record_change_of_' || content::text;
  site text := case when content = 'sites'::regclass then 'id' else 'site_id' end;
  record_row text;
  columns text;
begin
  select string_agg(format('perform record_content_change(this.%I, %L, array[%s]::uuid[]);', site, name,
      coalesce((select string_agg(format('this.%I', s), ', ') from unnest(scopes) as s), 'null')), ' ')
    into record_row from unnest(coalesce(shown_as, array[content::text])) as name;
  select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
    where attrelid = content and attnum > 0 and not attisdropped and attgenerated = '' and not attname = any (ignored);
  execute format($function$
    create or replace function %I() returns trigger language plpgsql as $body$
    begin
      if tg_op <> 'INSERT' then %s end if;
      if tg_op <> 'DELETE' then %s end if;
      return null;
    end $body$ $function$, fn, replace(record_row, 'this.', 'old.'), replace(record_row, 'this.', 'new.'));
  execute format('create or replace trigger content_added after insert on %s for each row when (%s) execute function %I()',
    content, replace(shown, 'this.', 'new.'), fn);
  execute format('create or replace trigger content_deleted after delete on %s for each row when (%s) execute function %I()',
    content, replace(shown, 'this.', 'old.'), fn);
  execute format('create or replace trigger content_changed after update of %s on %s for each row when (%s or %s) execute function %I()',
    columns, content, replace(shown, 'this.', 'old.'), replace(shown, 'this.', 'new.'), fn);
end $$;

call content_of('sites', ignored => '{content_version,hosts}');
-- Nothing was kept of a new site, and nothing may refer to one that is gone.
drop trigger content_added on sites;
drop trigger content_deleted on sites;
call content_of('site_domains');
call content_of('site_features');
call content_of('hubs', ignored => '{lock_version}', shown => 'this.published_at is not null');
call content_of('topics');
call content_of('projects', '{id}', '{participants,lock_version,row_version}', $$this.status not in ('draft', 'in_review')$$);
call content_of('project_dates', '{project_id}');
call content_of('project_documents', '{project_id}');
call content_of('project_updates', '{project_id}', '{notified_at,lock_version}', 'this.published_at is not null');
call content_of('project_stages', '{project_id}', '{lock_version}');
call content_of('project_areas', '{project_id}');
call content_of('areas');
call content_of('activities', '{project_id,id}', '{numbered,lock_version}', $$this.status <> 'draft'$$);
call content_of('contribution_statuses', '{activity_id}', '{lock_version}');
-- How many support something is shown as of a minute ago.
call content_of('contributions', '{activity_id,id}', '{supports,disagrees,receipt_hash,doubt,assignee_id}',
  $$this.state in ('published', 'merged') or this.published_at is not null$$);
call content_of('contribution_versions', '{contribution_id}', shown => 'this.was_public');
call content_of('contribution_links', '{contribution_id,target_id}', '{told_until,told_at}');
call content_of('contribution_photos', '{activity_id,held_by}', '{key_hash,touched_at,giver_hash,browser_hash}', 'this.sent_at is not null');
call content_of('replies', '{contribution_id}', '{receipt_hash}', $$this.state = 'published' or this.decided_at is not null$$);
call content_of('official_responses', '{contribution_id}', '{told_until,told_at}');
call content_of('map_layers', '{activity_id}', '{lock_version}');
call content_of('moderation_rules', ignored => '{lock_version}');
call content_of('moderation_rule_versions');
call content_of('moderation_settings', ignored => '{lock_version}');
call content_of('surveys', '{project_id,id}', '{responses_count,responses_numbered,lock_version}', $$this.status <> 'draft'$$);
call content_of('survey_versions', '{survey_id}');
-- What somebody decides about unusually many supports or answers is shown at once.
call content_of('crowds', ignored => '{first_at,last_at,address_hash,decision,decided_at,decided_by}',
  shown => 'this.changed_at is not null', shown_as => '{contributions,surveys}');
call content_of('open_answers', '{survey_id}');
call content_of('open_result_versions', '{survey_id}');
call content_of('homepage_revisions', shown => 'this.published_at is not null');
call content_of('appearance_revisions', shown => 'this.published_at is not null');
call content_of('pages', ignored => '{lock_version}', shown => 'this.published_at is not null');
call content_of('old_addresses');
call content_of('media_assets', ignored => '{lock_version}');
call content_of('embed_domains');
call content_of('installations',
  ignored => '{sealed_secrets,health,failures,paused_until,last_used_at,last_fault,failing_since,paced_until,updated_at,lock_version}');
call content_of('identity_providers', ignored => '{tested_at,reminded_at,metadata_read_at,updated_at,lock_version}');
call content_of('people_groups', ignored => '{lock_version}');
call content_of('eligibility_lists', ignored => '{lock_version}');
call content_of('code_batches');
call content_of('postcode_settings', ignored => '{lock_version}');
call content_of('city_connectors', ignored => '{sealed_token,every_minutes,failures,paused_until,updated_at,lock_version}');
call content_of('city_datasets', '{project_id}', '{checked_at,validators,run,lease_until,due_at,failures,updated_at,lock_version}',
  'this.published_at is not null');

-- The platform's own settings concern the pages of every site.
create function record_change_of_features() returns trigger language plpgsql as $$
begin
  perform record_content_change(s.id, 'features', array[null]::uuid[]) from (select id from sites order by id) as s;
  return null;
end $$;
create trigger content_changed after insert or update or delete on features for each statement execute function record_change_of_features();
