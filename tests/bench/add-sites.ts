import pg from 'pg'

/** How much is added; `each` is for every added site. */
export interface Growth {
  sites: number
  each: { projects: number; people: number; responses: number }
}

/** Tables that grow with the platform. */
export const GROWING_TABLES = [
  'sites',
  'site_domains',
  'hubs',
  'projects',
  'surveys',
  'users',
  'memberships',
  'responses',
  'search_places',
] as const

/** Responses are added for this many sites at a time, so that one transaction does not become too large. */
const SITES_AT_ONCE = 1000

/**
 * Adds sites as a platform gets them over the years, each with a department, an administrator, projects with a survey, people, and responses of
 * 400 days. Triggers that count responses and send notices are off: this measurement does not use those figures.
 */
export async function addSites(url: string, { sites, each }: Growth): Promise<void> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  try {
    await owner.query(`set synchronous_commit = off`)
    await owner.query(
      `create temporary table added as
       select i, gen_random_uuid() as site, gen_random_uuid() as hub, gen_random_uuid() as administrator from generate_series(1, $1::int) i`,
      [sites],
    )
    await owner.query(
      `insert into sites (id, slug, name, region, locale, languages, time_zone, created_at)
       select site, 'added-' || i, 'Town ' || i, 'ca', 'en', '{en,fr-CA}', 'America/Toronto', now() - i * interval '2 hours' from added`,
    )
    await owner.query(`insert into site_domains (host, site_id, is_primary) select 'added-' || i || '.example', site, true from added`)
    await owner.query(
      `insert into hubs (site_id, id, slug, title) select site, hub, 'hub', jsonb_build_object('en', 'Department ' || i) from added`,
    )
    await owner.query(
      `insert into projects (site_id, id, hub_id, slug, title, search_title, search_text, status, published_at, closes_at, participants, updated_at)
       select site, gen_random_uuid(), hub, 'project-' || n, jsonb_build_object('en', name, 'fr-CA', name), lower(name),
         lower(name) || ' ' || md5(i || '-' || n) || ' what we ask about it and why', case when n % 4 = 2 then 'draft' else 'published' end,
         case when n % 4 <> 2 then now() - (i % 900 + n) * interval '1 day' end, case when n % 3 = 0 then now() + i % 90 * interval '1 day' end,
         i % 977, now() - (i % 900) * interval '1 day'
       from (select added.*, n, (array['Street', 'Park', 'Bridge', 'Library', 'Quay'])[1 + n % 5] || ' ' || i || ' ' || n as name
         from added, generate_series(1, $1::int) n) named`,
      [each.projects],
    )
    await owner.query(`set session_replication_role = replica`)
    await owner.query(
      `insert into surveys (site_id, id, project_id, slug, title, definition)
       select projects.site_id, gen_random_uuid(), projects.id, 'survey', projects.title, '{"schema":1,"pages":[]}'
       from projects join added on added.site = projects.site_id`,
    )
    await owner.query(
      `insert into users (site_id, id, email, login, password_hash, email_confirmed_at, created_at, last_seen_at)
       select site, case when n = 1 then administrator else gen_random_uuid() end, 'person-' || n || '@added-' || i || '.example',
         initcap(substr(md5((i * n)::text), 1, 6)) || ' ' || n, 'x', case when n % 10 > 0 then now() end, now() - n * interval '7 hours',
         now() - (n * i % 5000) * interval '1 hour'
       from added, generate_series(1, $1::int) n`,
      [each.people],
    )
    await owner.query(
      `insert into memberships (site_id, id, user_id, role) select site, gen_random_uuid(), administrator, 'site_admin' from added`,
    )
    for (let from = 0; from < sites; from += SITES_AT_ONCE) {
      await owner.query(
        `insert into responses (site_id, id, survey_id, version, user_id, language, answers, receipt_hash, submitted_at, number)
         select s.site_id, gen_random_uuid(), s.id, 1, case when n % 3 = 0 then s.administrator end, 'en', '{}',
           sha256((s.id || '-' || n)::text::bytea), now() - (n % 400) * interval '1 day', n
         from (select surveys.site_id, surveys.id, administrator, row_number() over (partition by surveys.site_id order by surveys.id) as place
             from surveys join added on added.site = surveys.site_id where added.i > $1::int and added.i <= $1::int + $2::int) s,
           generate_series(1, $3::int) n
         where n % $4::int = s.place - 1`,
        [from, SITES_AT_ONCE, each.responses, each.projects],
      )
    }
    await owner.query(`set session_replication_role = origin`)
    for (const table of GROWING_TABLES) await owner.query(`vacuum analyze ${table}`)
    await owner.query('checkpoint')
  } finally {
    await owner.end()
  }
}
