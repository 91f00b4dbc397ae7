import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { queryAsOwner, signInForToken } from '#tests/support/remote-api.ts'
import { addSites, type Growth, GROWING_TABLES } from './add-sites.ts'
import { takeSample } from './compare.ts'
import { computeMedian, type Measurement, roundTo } from './measurement.ts'
import { readProcessorTime } from './processor-time.ts'
import type { BenchSetup } from './setup.ts'

const WHOLE: Growth = { sites: 10_000, each: { projects: 10, people: 100, responses: 500 } }
const SHORT: Growth = { sites: 1000, each: { projects: 10, people: 100, responses: 100 } }
/** What is asked of a grown platform may take this much longer. */
const MOST_LONGER = 1.2
/** Work that reads a whole table this often during the measurement, or more often, will not bear growth. A look once a minute is less. */
const MOST_SCANS = 20
/** The jobs have counted what was added, once. */
const COUNTED_WITHIN_MS = 30 * 60_000
/** Below this many milliseconds of difference, the clock and other work of the machine decide. */
const NOTICEABLE_MS = 1
const ROUNDS = { whole: 200, short: 60 }
const WARM_UP = 20
const IDLE_MS = 60_000

interface Work {
  path: string
  headers?: Record<string, string>
}

/** What a council and its residents do all day on one site, before and after ten thousand other sites came to the platform. */
export const growth: Measurement = {
  name: 'growth',
  run: async (ground) => {
    const { sites, each } = ground.short ? SHORT : WHOLE
    // A database that has run for some minutes has done this itself; one that was just filled reads whole tables.
    await queryAsOwner(ground.databaseUrl, 'analyze')
    const before = await measureDay(ground)
    const from = performance.now()
    await addSites(ground.databaseUrl, { sites, each })
    const addedSeconds = (performance.now() - from) / 1000
    await ground.restart()
    await waitUntilCounted(ground.databaseUrl)
    const scansBefore = await readScans(ground.databaseUrl)
    const after = await measureDay(ground)
    const scans = subtract(await readScans(ground.databaseUrl), scansBefore)
    const names = Object.keys(before)
    const longer = Object.fromEntries(names.map((name) => [name, roundTo((after[name] ?? 0) / (before[name] ?? 1))]))
    return {
      summary: `One site's work, in milliseconds (median), on a platform with ${sites} more sites, ${sites * each.projects} projects, ${sites * each.people} people and ${sites * each.responses} responses, against before; idle is processor time of the product and its database in a minute without requests`,
      ratios: longer,
      values: { ...Object.fromEntries(names.map((name) => [name, roundTo(after[name] ?? 0)])), addedSeconds: roundTo(addedSeconds, 0) },
      faults: [
        ...names
          .filter((name) => (longer[name] ?? 0) > MOST_LONGER && (after[name] ?? 0) - (before[name] ?? 0) > NOTICEABLE_MS)
          .map((name) => `${name} takes ${longer[name]} times as long`),
        ...Object.entries(scans)
          .filter(([table, times]) => times > MOST_SCANS && GROWING_TABLES.some((growing) => growing === table))
          .map(([table, times]) => `${table} was read from end to end ${roundTo(times, 0)} times`),
      ],
    }
  },
}

/** @returns milliseconds by name */
async function measureDay(ground: BenchSetup): Promise<Record<string, number>> {
  const { product, participant, administrator, short } = ground
  const platform = await signInForToken(product, 'platform@parley.example')
  const api = (token: string) => ({ accept: 'application/vnd.api+json', 'x-api-token': `Bearer ${token}` })
  const page = (token: string) => ({ cookie: `token=${token}` })
  const works: Record<string, Work> = {
    homepage: { path: '/', headers: page(administrator) },
    project: { path: '/projects/fern-street', headers: page(administrator) },
    account: { path: '/account', headers: page(participant) },
    search: { path: '/search?q=bus+{n}' },
    dashboard: { path: '/admin', headers: page(administrator) },
    projects: { path: '/api/v2/projects?page%5Bsize%5D=25', headers: api(administrator) },
    people: { path: '/api/v2/users?filter%5Bq%5D=ann&page%5Bsize%5D=50', headers: api(administrator) },
    responses: { path: '/api/v2/responses?page%5Bsize%5D=25', headers: api(administrator) },
    reach: { path: '/admin/reports', headers: page(administrator) },
    audit: { path: '/api/v2/audit-events?page%5Bsize%5D=25', headers: api(administrator) },
    sites: { path: '/api/v2/sites?page%5Bsize%5D=25', headers: api(platform) },
    siteSearch: { path: '/api/v2/sites?filter%5Bq%5D=river&page%5Bsize%5D=25', headers: api(platform) },
  }
  const found: Record<string, number> = {}
  for (const [name, work] of Object.entries(works)) found[name] = await measureWork(product.port, work, short ? ROUNDS.short : ROUNDS.whole)
  found['idle'] = await measureIdle(ground)
  return found
}

async function measureWork(port: number, { path, headers }: Work, rounds: number): Promise<number> {
  const took: number[] = []
  for (let count = -WARM_UP; count < rounds; count++) {
    const from = performance.now()
    const { status } = await takeSample(port, path.replace('{n}', String(count)), headers)
    if (status !== 200) throw new Error(`${path} was answered with ${status}`)
    if (count >= 0) took.push(performance.now() - from)
  }
  return computeMedian(took)
}

/** CPU time in milliseconds of the product and its database in a minute without requests. */
async function measureIdle({ product, dataDir }: BenchSetup): Promise<number> {
  await wait(IDLE_MS / 4)
  const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const readAll = () => readProcessorTime([product.process.pid ?? 0, postmaster])
  const before = readAll()
  await wait(IDLE_MS)
  return (readAll() - before) * 1000
}

/** Figures of new sites are counted once; what that costs is no measure of an ordinary day. */
async function waitUntilCounted(url: string): Promise<void> {
  for (const until = performance.now() + COUNTED_WITHIN_MS; performance.now() < until; await wait(5000)) {
    const [row] = await queryAsOwner<{ left: boolean }>(
      url,
      `select exists (select from engaged_days_due) or exists (select from sites s where s.status = 'active'
         and not exists (select from response_recounts c join site_figures f on f.site_id = c.site_id
           where c.site_id = s.id and f.counted_at >= c.changed_at)) as left`,
    )
    if (!row?.left) return
  }
  throw new Error('What was added was not counted in time')
}

/** By table, how often as many rows as it has were read without an index since the database began to count. */
async function readScans(url: string): Promise<Record<string, number>> {
  const rows = await queryAsOwner<{ relname: string; scans: number }>(
    url,
    'select relname, (seq_tup_read / greatest(n_live_tup, 1))::float8 as scans from pg_stat_user_tables',
  )
  return Object.fromEntries(rows.map(({ relname, scans }) => [relname, scans]))
}

const subtract = (after: Record<string, number>, before: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]))
