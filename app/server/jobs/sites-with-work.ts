import { sql } from 'drizzle-orm'
import type { Runtime } from '../runtime.ts'
import type { Job } from './run-jobs.ts'

/** Jobs that the database knows how to look for, over all sites at once: the function `sites_with_work`. */
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
] as const
type SiteLookupJob = (typeof JOBS_WITH_SITE_LOOKUP)[number]

/** Every so often a turn goes to every site, whatever was found by looking. */
const ALL_SITES_EVERY_MS = 5 * 60_000
/** Within a turn, what was found counts for so long. */
const FRESH_MS = 1000

/** Ids of the sites on which the job has something to do now. */
export async function loadSitesWithWork({ database, now }: Runtime, job: SiteLookupJob): Promise<string[]> {
  const { rows } = await database.global.execute<{ id: string }>(
    sql`select id from sites_with_work(${job}, ${now().toISOString()}::timestamptz) as found(id)`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Turns of a job that go to the sites alone where there is something to do: a thousand sites cost a look rather than a transaction each.
 * @param run what the turn does; of all sites where `sites` is undefined
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

/** The same for work that asks the directory for the sites that are on the air: it is given those that have something to do. */
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
