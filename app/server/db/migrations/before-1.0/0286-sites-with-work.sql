-- The sites on which a job has work to do: one lookup across all sites instead of a transaction on each. Row-level security applies,
-- because it goes from site to site as the application does. It may return a site too many; one that it misses is found by the job's next
-- full run.
create function sites_with_work(job text, at timestamptz) returns setof uuid language plpgsql as $$
declare
  site record;
  due boolean;
begin
  for site in select id, status from sites loop
    -- Mails leave a site that is suspended all the same.
    continue when site.status <> 'active' and job <> 'deliver-mails';
    perform set_config('parley.site_id', site.id::text, true);
    case job
      when 'publish-due-projects' then
        due := exists (select from projects p where p.site_id = site.id and p.status = 'scheduled' and p.publish_at <= at);
      when 'announce-revisions' then
        due := exists (select from homepage_revisions r where r.site_id = site.id and r.published_at <= at and r.announced_at is null)
          or exists (select from appearance_revisions r where r.site_id = site.id and r.published_at <= at and r.announced_at is null);
      when 'mail-updates' then
        due := exists (select from project_updates u where u.site_id = site.id and u.published_at <= at and u.notified_at is null);
      when 'deliver-mails' then
        due := exists (select from outbox_mails m where m.site_id = site.id and m.sent_at is null and m.fault is null and m.next_attempt_at <= at);
      when 'run-campaigns' then
        due := exists (select from campaigns c where c.site_id = site.id and (c.status in ('scheduled', 'preparing', 'sending')
          or (c.status = 'cancelled' and c.tally is null)));
      when 'send-texts' then
        due := exists (select from sms_messages m where m.site_id = site.id and m.next_attempt_at <= at);
      when 'deliver-webhooks' then
        due := exists (select from installations i where i.site_id = site.id and i.enabled_at is not null);
      when 'synchronise-city-data' then
        due := exists (select from city_datasets d where d.site_id = site.id and d.due_at <= at);
      when 'make-exports' then
        due := exists (select from survey_exports e where e.site_id = site.id and e.state in ('waiting', 'running'));
      when 'make-response-blocks' then
        -- A block has 8192 responses: where there is none yet, only numbering can be due.
        due := exists (select from surveys s where s.site_id = site.id and (s.responses_numbered >= 8192
          or exists (select from responses r where r.site_id = site.id and r.survey_id = s.id and r.number is null)));
      else
        raise exception 'no look is known for the job %', job;
    end case;
    if due then return next site.id; end if;
  end loop;
end $$;
