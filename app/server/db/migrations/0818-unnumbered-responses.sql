-- Both indexes stay small: responses without a number, and the few surveys with at least one full block. Without them the lookup scanned every
-- response on the platform.
create index responses_unnumbered on responses (site_id, survey_id) where number is null;
create index surveys_with_blocks on surveys (site_id) where responses_numbered >= 8192;

create or replace function sites_with_work(job text, at timestamptz) returns setof uuid
language plpgsql stable rows 10 security definer set search_path = public, pg_temp as $$
begin
  case job
    when 'publish-due-projects' then
      return query select distinct p.site_id from projects p where p.status = 'scheduled' and p.publish_at <= at;
    when 'announce-revisions' then
      return query select r.site_id from homepage_revisions r where r.announced_at is null and r.published_at <= at
        union select r.site_id from appearance_revisions r where r.announced_at is null and r.published_at <= at;
    when 'mail-updates' then
      return query select distinct u.site_id from project_updates u where u.notified_at is null and u.published_at <= at;
    when 'deliver-mails' then
      return query select distinct m.site_id from outbox_mails m where m.sent_at is null and m.fault is null and m.next_attempt_at <= at;
    when 'mail-digests' then
      return query select i.site_id from follow_digest_items i where i.due_at <= at
        union select i.site_id from contribution_digest_items i where i.due_at <= at
        union select i.site_id from email_digest_items i where i.due_at <= at
        union select a.site_id from activities a where a.status = 'published' and a.news_until <= at - interval '1 hour'
          and exists (select from contributions c where c.site_id = a.site_id and c.activity_id = a.id and c.state = 'published'
            and c.published_at > a.news_until);
    when 'run-campaigns' then
      return query select distinct c.site_id from campaigns c
        where c.status in ('scheduled', 'preparing', 'sending') or (c.status = 'cancelled' and c.tally is null);
    when 'send-texts' then
      return query select distinct m.site_id from sms_messages m where m.next_attempt_at is not null and m.next_attempt_at <= at;
    when 'tend-conversations' then
      return query select c.site_id from text_conversations c where c.sealed_phone is not null and c.updated_at < at - interval '1 minute'
        union select c.site_id from text_conversations c where c.sealed_phone is null and c.expires_at < at;
    when 'deliver-webhooks' then
      return query select distinct i.site_id from installations i where i.enabled_at is not null and i.integration = 'webhooks';
    when 'return-held-texts' then
      return query select distinct c.site_id from moderation_cases c where c.state = 'open' and c.held_until is not null and c.held_until <= at;
    when 'tell-reporters' then
      return query select distinct r.site_id from moderation_reports r
        join moderation_cases c on c.site_id = r.site_id and c.id = r.case_id and c.state in ('decided', 'appealed', 'closed')
        where r.told_at is null and r.reporter_id is not null;
    when 'mail-due-work' then
      return query select c.site_id from moderation_cases c where c.state = 'open' and c.due_at <= at
        union select a.site_id from moderation_appeals a where a.state = 'pending';
    when 'tell-merges' then
      return query select distinct l.site_id from contribution_links l
        where l.kind = 'duplicate_of' and l.told_at is null and l.ended_at is null;
    when 'tell-of-answers' then
      return query select distinct r.site_id from official_responses r where r.told_at is null and r.visibility = 'public';
    when 'synchronise-city-data' then
      return query select distinct d.site_id from city_datasets d where d.due_at <= at;
    when 'make-exports' then
      return query select distinct e.site_id from survey_exports e where e.state in ('waiting', 'running');
    when 'make-response-blocks' then
      -- Responses without a number, and where responses arrived within the last hour: a block has 8192 of them.
      return query select distinct r.site_id from responses r where r.number is null
        union select recent.site_id from (
          select c.site_id from response_changes c
          union select c.site_id from response_recounts c where c.changed_at > at - interval '1 hour') recent
        where exists (select from surveys s where s.site_id = recent.site_id and s.responses_numbered >= 8192);
    when 'count-responses' then
      return query select c.site_id from response_changes c
        union select s.id from sites s
          where not exists (select from response_recounts c where c.site_id = s.id and c.time_zone = s.time_zone);
    when 'roll-up-reach' then
      return query select d.site_id from engaged_days_due d
        union select r.site_id from reach_salts r join sites s on s.id = r.site_id
          where r.changed or r.day < ((at - interval '10 minutes') at time zone s.time_zone)::date;
    when 'count-platform-figures' then
      return query select s.id from sites s
        left join site_figures f on f.site_id = s.id
        left join (select i.site_id, count(*) as enabled, count(*) filter (where i.health in ('failing', 'down')) as failing
          from installations i where i.enabled_at is not null group by i.site_id) services on services.site_id = s.id
        left join (select c.site_id, count(*) as added, count(*) filter (where c.failures > 0) as failing
          from city_connectors c group by c.site_id) portals on portals.site_id = s.id
        left join (select p.site_id, count(*) as open from projects p where p.status = 'published'
          and (p.opens_at is null or p.opens_at <= at) and (p.closes_at is null or p.closes_at > at) group by p.site_id) projects
          on projects.site_id = s.id
        where s.status = 'active' and (f.site_id is null
          or f.counted_at <= at - interval '1 hour'
          -- Somebody visited today: reach changes.
          or (f.counted_at <= at - interval '5 minutes' and exists (select from reach_salts r where r.site_id = s.id))
          or exists (select from response_recounts c where c.site_id = s.id and c.changed_at > f.counted_at)
          or f.connections <> coalesce(services.enabled, 0) + coalesce(portals.added, 0)
          or jsonb_array_length(f.failing) <> coalesce(services.failing, 0) + coalesce(portals.failing, 0)
          or f.open_projects <> coalesce(projects.open, 0));
    else
      raise exception 'no look is known for the job %', job;
  end case;
end $$;
