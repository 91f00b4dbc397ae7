import { sql } from 'drizzle-orm'
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
  'make-response-blocks',
  'count-responses',
  'roll-up-reach',
  'count-platform-figures',
] as const
type SiteLookupJob = (typeof JOBS_WITH_SITE_LOOKUP)[number]

/** This often, a run covers every site, whatever the lookup found. */
const ALL_SITES_EVERY_MS = 5 * 60_000
/** Within a run, a lookup is reused for this long. */
const FRESH_MS = 1000

/** Ids of the sites on which the job has work to do now. */
export async function loadSitesWithWork({ database, now }: Runtime, job: SiteLookupJob): Promise<string[]> {
  const { rows } = await database.global.execute<{ id: string }>(
    sql`select id from sites_with_work(${job}, ${now().toISOString()}::timestamptz) as found(id)`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Limits a job to sites with pending work: a thousand idle sites cost one lookup rather than a transaction each.
 * @param run does the work; on all sites if `sites` is undefined
 */
export function runWithSiteIds(
  job: SiteLookupJob,
  run: (runtime: Runtime, ending: AbortSignal, sites: readonly string[] | undefined) => Promise<unknown>,
): Job['run'] {
  let wholeAt = -Infinity
  return async (runtime, ending) => {
    const now = performance.now()
    if (now - wholeAt > ALL_SITES_EVERY_MS) {
      wholeAt = now
      return run(runtime, ending, undefined)
    }
    const sites = await loadSitesWithWork(runtime, job)
    return sites.length ? run(runtime, ending, sites) : undefined
  }
}

/** The same for work that asks the directory for active sites: the directory then returns only those with work. */
export const runOnSitesWithWork = (job: SiteLookupJob, run: Job['run']): Job['run'] =>
  runWithSiteIds(job, (runtime, ending, first) => {
    if (!first) return run(runtime, ending)
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
