import pg from 'pg'
import { createId } from '#app/lib/uuid.ts'
import { takeSample } from './compare.ts'
import type { BenchSetup } from './setup.ts'
import { type Measurement, roundTo } from './measurement.ts'
import { signInAdministrator } from './sign-in-administrator.ts'

const PEOPLE = 100_000
const PROJECTS = 10_000
/** Still enough rows that scanning all of them would show. */
const SHORT = { people: 20_000, projects: 2000 }
const ROUNDS = 40
const LIMIT_MS = 200
/** Not the site used by other measurements. */
const SITE = 'harbour'

/**
 * The people and project tables as administrators use them, through the API: searched, filtered, in every sort order and on late pages.
 * Reports each as its 95th percentile and as a share of the 200 ms limit.
 */
export const adminTables: Measurement = {
  name: 'admin tables',
  run: async (ground) => {
    const people = ground.short ? SHORT.people : PEOPLE
    const projects = ground.short ? SHORT.projects : PROJECTS
    const { hub, administrators } = await addRows(ground, people, projects)
    const values: Record<string, number> = {}
    const faults: string[] = []
    for (const [who, token] of Object.entries(administrators)) {
      for (const [name, paths] of Object.entries(buildRequests(people, projects, hub))) {
        const took: number[] = []
        for (let count = 0; count < ROUNDS; count++) {
          const path = paths[count % paths.length] ?? ''
          const from = performance.now()
          const { status } = await takeSample(ground.product.port, `/api/v2/${path}`, {
            host: `${SITE}.localhost:${ground.product.port}`,
            accept: 'application/vnd.api+json',
            'x-api-token': `Bearer ${token}`,
          })
          took.push(performance.now() - from)
          if (status !== 200) faults.push(`${path} was answered with ${status}`)
        }
        const p95 = took.toSorted((a, b) => a - b)[Math.floor(0.95 * (took.length - 1))] ?? 0
        values[`${who}${name}P95`] = roundTo(p95, 0)
        if (p95 > LIMIT_MS) faults.push(`${name} took ${roundTo(p95, 0)} ms for the ${who} administrator`)
      }
    }
    return {
      summary: `Tables of ${people} people and ${projects} projects by the API, each as the 95th percentile against ${LIMIT_MS} ms`,
      ratios: Object.fromEntries(Object.entries(values).map(([name, p95]) => [name, roundTo(p95 / LIMIT_MS)])),
      values,
      faults,
    }
  },
}

/** The requests measured under each name, in turn. */
function buildRequests(people: number, projects: number, hub: string): Record<string, string[]> {
  const both = (names: readonly string[]) => names.flatMap((name) => [name, `-${name}`])
  const list = (type: string, size: number) => (query: string) => `${type}?${query}&page%5Bsize%5D=${size}`
  const [users, found] = [list('users', 50), list('projects', 20)]
  return {
    PeopleSearch: ['ann', 'a1b', 'example', 'bea', '99', 'cad fe', 'abcdfe77'].map((q) => users(`filter%5Bq%5D=${encodeURIComponent(q)}`)),
    PeopleFilter: [
      users('filter%5Brole%5D=participant&filter%5Bstatus%5D=active&sort=login'),
      users('filter%5Bstatus%5D=unconfirmed'),
      users(`filter%5Bhub%5D=${hub}&sort=-lastSeenAt`),
    ],
    PeopleSort: both(['login', 'email', 'createdAt', 'lastSeenAt']).map((sort) => users(`sort=${sort}`)),
    PeopleDeep: both(['login', 'createdAt']).map((sort) => users(`sort=${sort}&page%5Bnumber%5D=${people / 100}`)),
    ProjectSearch: ['street', 'park 77', 'bridge', 'a1b', 'nothing'].map((q) =>
      found(`filter%5Bq%5D=${encodeURIComponent(q)}&include=hub`),
    ),
    ProjectFilter: [
      found('filter%5Bstatus%5D=published&include=hub'),
      found(`filter%5Bhub%5D=${hub}&filter%5Bstatus%5D=draft&include=hub`),
    ],
    ProjectSort: both(['title', 'updatedAt', 'publishedAt', 'closesAt', 'participants']).map((sort) => found(`sort=${sort}&include=hub`)),
    ProjectDeep: both(['title', 'updatedAt']).map((sort) => found(`sort=${sort}&page%5Bnumber%5D=${projects / 40}&include=hub`)),
  }
}

/**
 * Adds people, a fifth of whom follow a project of the hub and a tenth answered one of its surveys; and projects, half of them in the hub.
 */
async function addRows({ databaseUrl }: BenchSetup, people: number, projects: number) {
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  try {
    const { rows } = await owner.query<{ id: string }>('select id from sites where slug = $1', [SITE])
    const site = rows[0]?.id
    if (!site) throw new Error(`There is no site ${SITE}`)
    const [hub, project, survey] = [createId(), createId(), createId()]
    await owner.query(`insert into hubs (site_id, id, slug, title) values ($1, $2, 'bench', '{"en":"Bench"}')`, [site, hub])
    await owner.query(
      `insert into projects (site_id, id, hub_id, slug, title, search_title, search_text, status, published_at, closes_at, participants, updated_at)
       select $1, case when i = 0 then $2::uuid else gen_random_uuid() end, case when i % 2 = 0 then $3::uuid end, 'bench-' || i,
         jsonb_build_object('en', name), lower(name), lower(name) || ' what we ask about it and why ' || (select string_agg('w' || substr(md5((i * j % 4999)::text), 1, 6), ' ') from generate_series(1, 100) j),
         case when i % 4 = 2 then 'draft' else 'published' end, case when i % 4 <> 2 then now() - i * interval '1 hour' end,
         case when i % 3 = 0 then now() + i * interval '1 hour' end, i % 977, now() - i * interval '3 minutes'
       from (select i, (array['Street', 'Park', 'Bridge', 'Library', 'Quay'])[1 + i % 5] || ' ' || i || ' ' || substr(md5(i::text), 1, 6) as name
         from generate_series(0, $4::int - 1) i) named`,
      [site, project, hub, projects],
    )
    await owner.query(`insert into surveys (site_id, id, project_id, slug, title, definition) values ($1, $2, $3, 'bench', '{}', '{}')`, [
      site,
      survey,
      project,
    ])
    await owner.query(
      `insert into users (site_id, id, email, login, password_hash, email_confirmed_at, created_at, last_seen_at)
       select $1, gen_random_uuid(), substr(md5((i * 3)::text), 1, 7) || i || '@example.org', initcap(substr(md5(i::text), 1, 6)) || ' ' || initcap(substr(md5((i * 7)::text), 1, 8)),
              'x', case when i % 10 > 0 then now() end, now() - i * interval '7 minutes', now() - (i % 5000) * interval '1 hour' from generate_series(1, $2::int) i`,
      [site, people],
    )
    await owner.query(
      `insert into project_follows (site_id, project_id, user_id)
       select $1, $2, id from users where site_id = $1 and (email like '%3@example.org' or email like '%5@example.org')`,
      [site, project],
    )
    await owner.query(
      `insert into responses (site_id, id, survey_id, version, user_id, language, answers, receipt_hash)
       select $1, gen_random_uuid(), $2, 1, id, 'en', '{}', sha256(id::text::bytea) from users where site_id = $1 and email like '%7@example.org'`,
      [site, survey],
    )
    const administrators = {
      site: await signInAdministrator(owner, site, 'site_admin', null),
      hub: await signInAdministrator(owner, site, 'hub_admin', hub),
    }
    for (const table of ['users', 'projects', 'search_words', 'search_places', 'project_follows', 'responses'])
      await owner.query(`vacuum analyze ${table}`)
    return { hub, administrators }
  } finally {
    await owner.end()
  }
}
