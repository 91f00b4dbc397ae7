import { asc, count, gt, lte, type SQL, sql } from 'drizzle-orm'
import { sites } from '../db/schema/sites.ts'
import type { Runtime } from '../runtime.ts'
import type { Job } from './run-jobs.ts'

/** Jobs whose work the database can find across all sites at once, with the function `sites_with_work`. */
export const JOBS_WITH_SITE_LOOKUP = [
  'publish-due-projects',
  'announce-revisions',
  'mail-updates',
  'deliver-mails',
  'run-campaigns',
  'send-texts',
  'deliver-webhooks',
  'synchronise-city-data',
  'make-exports',
  'suggest-themes',
  'count-rounds',
  'send-answers',
  'append-ledgers',
  'make-response-blocks',
  'count-responses',
  'recount-responses',
  'check-figures',
  'roll-up-reach',
  'count-platform-figures',
  'return-held-texts',
  'tell-reporters',
  'mail-due-work',
  'tell-merges',
  'tell-of-answers',
  'tell-proposers',
  'mail-digests',
  'remind-of-events',
  'mail-reports',
  'mail-weekly',
  'tend-conversations',
  'remind-of-certificates',
  'sweep-calls',
  'sweep-webhooks',
  'sweep-verifications',
  'sweep-uploads',
  'sweep-contribution-photos',
  'erase-originals',
  'sweep-response-files',
  'sweep-response-drafts',
  'remove-personal-data',
  'expire-exports',
  'thin-revisions',
  'sweep',
] as const
export type SiteLookupJob = (typeof JOBS_WITH_SITE_LOOKUP)[number]

/** Within this time, each site has had a turn, whatever the lookups found. */
const ALL_SITES_WITHIN_HOURS = 24
/** Within a run, a lookup is reused for this long. */
const FRESH_MS = 1000

/** Suspended sites still send mails, which tell their administrators why. Expired data is deleted there too. */
const JOBS_OF_SUSPENDED_SITES: readonly SiteLookupJob[] = ['deliver-mails', 'sweep']

/** Ids of the sites on which the job has work to do now, in the order of the lookup. */
export async function loadSitesWithWork({ database, now }: Runtime, job: SiteLookupJob): Promise<string[]> {
  const { rows } = await database.global.execute<{ id: string }>(
    sql`select found.id from sites_with_work(${job}, ${now().toISOString()}::timestamptz) with ordinality as found(id, place)
      join ${sites} on ${sites.id} = found.id where ${sites.status} = 'active' or ${JOBS_OF_SUSPENDED_SITES.includes(job)}
      order by found.place`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Goes through all sites a few at a time, so that each is visited within the given hours. Starts at a random site, because a process may end
 * before it has visited all of them.
 */
function goRound(hours: number): (runtime: Runtime) => Promise<string[]> {
  let last: string | undefined
  let total = 0
  let owed = 0
  let at = performance.now()
  return async ({ database: { global } }) => {
    const now = performance.now()
    if (total === 0) total = (await global.select({ total: count() }).from(sites))[0]?.total ?? 0
    owed = Math.min(owed + ((now - at) / (hours * 3_600_000)) * total, total)
    at = now
    const due = Math.floor(owed)
    if (due === 0) return []
    owed -= due
    const selectIds = (where: SQL | undefined, limit: number) =>
      global.select({ id: sites.id }).from(sites).where(where).orderBy(asc(sites.id)).limit(limit)
    last ??= (await selectIds(undefined, 1).offset(Math.floor(Math.random() * total)))[0]?.id
    if (last === undefined) return []
    const rows = await selectIds(gt(sites.id, last), due)
    if (rows.length < due) {
      rows.push(...(await selectIds(lte(sites.id, last), due - rows.length)))
      total = 0
    }
    last = rows.at(-1)?.id
    return rows.map(({ id }) => id)
  }
}

/**
 * Limits a job to sites with pending work: ten thousand idle sites cost one lookup rather than a transaction each.
 * @param run does the work on these sites
 * @param hours within which every site has had a turn
 */
export function runWithSiteIds(
  job: SiteLookupJob,
  run: (runtime: Runtime, ending: AbortSignal, sites: readonly string[]) => Promise<unknown>,
  hours = ALL_SITES_WITHIN_HOURS,
): Job['run'] {
  const loadTurn = goRound(hours)
  return async (runtime, ending) => {
    const found = new Set([...(await loadSitesWithWork(runtime, job)), ...(await loadTurn(runtime))])
    return found.size > 0 ? run(runtime, ending, [...found]) : undefined
  }
}

/** The same for work that asks the directory for active sites: the directory then returns only those with work. */
export const runOnSitesWithWork = (job: SiteLookupJob, run: Job['run']): Job['run'] =>
  runWithSiteIds(job, (runtime, ending, first) => {
    const found = new Set(first)
    let lookedAt = performance.now()
    const loadSiteIds = async () => {
      if (performance.now() - lookedAt > FRESH_MS) {
        for (const id of await loadSitesWithWork(runtime, job)) found.add(id)
        lookedAt = performance.now()
      }
      return [...found]
    }
    return run({ ...runtime, sites: runtime.sites.narrowTo(loadSiteIds) }, ending)
  })
