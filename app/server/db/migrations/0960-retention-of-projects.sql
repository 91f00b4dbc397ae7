-- For how many months a project's personal data is kept after it closed, and when it was removed.

-- A site without a row, or without a number, keeps it until somebody removes it.
create table retention_settings (
  site_id uuid primary key references sites (id) on delete cascade,
  kept_months integer check (kept_months between 1 and 240),
  lock_version integer not null default 1,
  updated_at timestamptz not null default now()
);

-- A project without a row follows the site.
create table project_retentions (
  site_id uuid not null,
  project_id uuid not null,
  kept_months integer check (kept_months between 1 and 240),  -- null: as the site
  lock_version integer not null default 1,
  warned_at timestamptz,                          -- when its team was last told
  warned_for timestamptz,                         -- the day that they were told of
  removed_at timestamptz,                         -- when it was last removed
  removed_for timestamptz,                        -- the closing that it was removed for: a later one begins anew
  updated_at timestamptz not null default now(),
  primary key (site_id, project_id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);

-- When a project that was published ended, or will end: nothing more is sent to it from then on. Null if it has no end.
create function project_closed_at(p projects) returns timestamptz language sql immutable as $$
  select case when p.published_at is not null then least(p.closes_at, case when p.status = 'archived' then p.archived_at end) end
$$;

-- By the calendar of UTC, whatever the time zone of the connection.
create function add_months(at timestamptz, months integer) returns timestamptz language sql immutable as $$
  select (at at time zone 'UTC' + make_interval(months => months)) at time zone 'UTC'
$$;

-- How long things are kept is set where they are deleted: the comment names the function in TypeScript.
create or replace function sites_with_work(job text, at timestamptz) returns setof uuid
language plpgsql stable rows 10 security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
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
      return query select distinct c.site_id from response_changes c;
    when 'recount-responses' then
      return query select s.id from sites s
        where not exists (select from response_recounts c where c.site_id = s.id and c.time_zone = s.time_zone);
    when 'check-figures' then
      -- checkFigures: at night, until five o'clock, the site that has waited longest first.
      return query select c.site_id from response_recounts c join sites s on s.id = c.site_id and s.time_zone = c.time_zone
        where c.recounted_at <= at - interval '12 hours' and extract(hour from at at time zone s.time_zone) < 5
        order by c.recounted_at;
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
        left join (select distinct r.site_id from reach_salts r) visited on visited.site_id = s.id
        left join (select distinct m.site_id from outbox_mails m where m.sent_at is null and m.fault is null) mails on mails.site_id = s.id
        left join response_recounts recount on recount.site_id = s.id
        where s.status = 'active' and (f.site_id is null
          or f.counted_at <= at - interval '6 hours'
          or (f.counted_at <= at - interval '1 hour' and (f.mails_waiting > 0 or mails.site_id is not null))
          -- Somebody visited today: reach changes.
          or (f.counted_at <= at - interval '5 minutes' and visited.site_id is not null)
          or recount.changed_at > f.counted_at
          or f.connections <> coalesce(services.enabled, 0) + coalesce(portals.added, 0)
          or jsonb_array_length(f.failing) <> coalesce(services.failing, 0) + coalesce(portals.failing, 0)
          or f.open_projects <> coalesce(projects.open, 0));
    when 'remind-of-certificates' then
      -- When a certificate ends is written in the certificate.
      return query select distinct p.site_id from identity_providers p where p.protocol = 'saml' and p.state = 'active';
    when 'sweep-calls' then
      -- sweepCalls. The log of a service that was not used for hours has not grown.
      return query select distinct i.site_id from installations i
        where i.last_used_at > at - interval '6 hours'
          and exists (select from installation_calls c where c.site_id = i.site_id and c.installation_id = i.id offset 500);
    when 'sweep-webhooks' then
      -- sweepWebhooks. The second time is never before the first, which has an index.
      return query select distinct i.site_id from installations i
        where i.integration = 'webhooks' and exists (select from webhook_deliveries d
          where d.site_id = i.site_id and d.installation_id = i.id and d.occurred_at < at - interval '30 days'
            and d.next_attempt_at is null and greatest(d.tried_since, d.delivered_at) < at - interval '30 days');
    when 'sweep-verifications' then
      -- sweepVerifications
      return query select s.id from sites s where exists (select from verifications v where v.site_id = s.id and v.valid_until <= at)
        union select l.site_id from eligibility_lists l where l.valid_until <= at
        union select b.site_id from code_batches b where b.valid_until <= at
        union select t.site_id from verification_texts t where t.expires_at <= at;
    when 'sweep-uploads' then
      -- sweepUploads
      return query select distinct u.site_id from media_uploads u
        where u.created_at < at - interval '48 hours' and (u.touched_at is null or u.touched_at < at - interval '48 hours');
    when 'sweep-contribution-photos' then
      -- sweepPhotos. Photos that a crash left behind, with their contribution erased or gone, wait for the round of all sites.
      return query select p.site_id from contribution_photos p where p.sent_at is null and p.touched_at < at - interval '1 day'
        union select p.site_id from contribution_photos p where p.gone_at is not null and p.bytes > 0;
    when 'erase-originals' then
      -- eraseOldOriginals; 12 months is DEFAULT_ORIGINALS_KEPT_MONTHS.
      return query select s.id from sites s left join moderation_settings t on t.site_id = s.id
        where exists (select from masked_originals m
          where m.site_id = s.id and m.masked_at < at - make_interval(months => coalesce(t.originals_kept_months, 12))
            and not exists (select from moderation_appeals a join moderation_cases c on c.site_id = a.site_id and c.id = a.case_id
              where a.site_id = m.site_id and a.state = 'pending' and c.contribution_id = m.contribution_id
                and c.reply_id is not distinct from m.reply_id));
    when 'sweep-response-files' then
      -- sweepFiles: files that were never sent, and those that an erased account gave. Files that a crash left behind after a response was changed or
      -- withdrawn wait for the round of all sites.
      return query select f.site_id from response_files f
          where f.sent_at is null and f.touched_at < at - interval '1 day' and not exists (select from response_drafts d
            where d.site_id = f.site_id and d.id = f.held_by and d.user_id is not null)
        union select f.site_id from response_files f where f.touched_at = '1970-01-01T00:00:00Z';
    when 'sweep-response-drafts' then
      -- DRAFT_DAYS
      return query select s.id from sites s
        where exists (select from response_drafts d where d.site_id = s.id and d.updated_at < at - interval '60 days');
    when 'remove-personal-data' then
      -- removePersonalData: projects whose team is to be told, and those whose data is due.
      return query select distinct p.site_id from projects p
        left join retention_settings d on d.site_id = p.site_id
        left join project_retentions r on r.site_id = p.site_id and r.project_id = p.id
        cross join lateral (select project_closed_at(p) as at) closed
        cross join lateral (select add_months(closed.at, coalesce(r.kept_months, d.kept_months)) as at) due
        where due.at <= sites_with_work.at + interval '30 days'
          and (r.removed_for is null or r.removed_for < closed.at)
          and (r.warned_for is null or r.warned_for < due.at or r.warned_for <= sites_with_work.at);
    when 'expire-exports' then
      -- Files that a crash left behind wait for the round of all sites.
      return query select distinct e.site_id from survey_exports e where e.expires_at <= at;
    when 'thin-revisions' then
      -- thinRevisions, an hour or two after an autosave has become a day old. What several missed turns leave waits for the round of all sites.
      return query select r.site_id from homepage_revisions r
          where r.published_at is null and r.note = '' and r.created_at < at - interval '24 hours' and r.created_at > at - interval '27 hours'
        union select r.site_id from appearance_revisions r
          where r.published_at is null and r.note = '' and r.created_at < at - interval '24 hours' and r.created_at > at - interval '27 hours'
        union select r.site_id from project_revisions r
          where r.published_at is null and r.note = '' and r.created_at < at - interval '24 hours' and r.created_at > at - interval '27 hours'
        union select r.site_id from survey_revisions r
          where r.published_at is null and r.note = '' and r.created_at < at - interval '24 hours' and r.created_at > at - interval '27 hours'
        union select r.site_id from activity_revisions r
          where r.published_at is null and r.note = '' and r.created_at < at - interval '24 hours' and r.created_at > at - interval '27 hours';
    when 'sweep' then
      -- sweepAccounts. Most of these tables are read from end to end: four times a day, and only rows that are stored for a time.
      return query select r.site_id from rate_limits r where r.window_start < at - interval '2 days'
        union select x.site_id from sessions x where x.expires_at < at
        union select x.site_id from pending_sign_ins x where x.expires_at < at
        union select x.site_id from one_time_links x where x.expires_at < at - interval '30 days'
        union select x.site_id from used_sign_in_keys x where x.expires_at < at
        union select x.site_id from identity_requests x where x.asked_at < at - interval '30 days'
        union select x.site_id from identity_provider_tests x where x.at < sites_with_work.at - interval '30 days'
        union select x.site_id from saml_answers x where x.expires_at < at
        union select x.site_id from passkey_challenges x where x.expires_at < at
        union select x.site_id from phone_codes x where x.expires_at < at
        -- A mail is created before it is sent, and that has an index.
        union select s.id from sites s where exists (select from outbox_mails m
          where m.site_id = s.id and m.created_at < at - interval '90 days' and (m.sent_at < at - interval '90 days' or m.fault is not null))
        union select s.id from sites s where exists (select from sms_messages m
          where m.site_id = s.id and m.created_at < at - interval '730 days' and (m.campaign_id is null or m.body <> ''))
        union select c.site_id from mail_consents c where c.user_id is null and c.at < sites_with_work.at - interval '1095 days'
          and not exists (select from mail_consents later where later.site_id = c.site_id and later.email = c.email
            and (later.at >= sites_with_work.at - interval '1095 days' or later.user_id is not null))
        union select c.site_id from sms_consents c where c.user_id is null and c.at < sites_with_work.at - interval '1095 days'
          and not exists (select from sms_consents later where later.site_id = c.site_id and later.phone = c.phone
            and (later.at >= sites_with_work.at - interval '1095 days' or later.user_id is not null));
    else
      raise exception 'no look is known for the job %', job;
  end case;
end $$;
