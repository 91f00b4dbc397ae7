import { createCtx, type Ctx } from '../context.ts'
import type { Runtime } from '../runtime.ts'
import type { Site } from '../site-directory.ts'

/**
 * Runs `work` on every active site, without a viewer, one after another to keep the load even. A failing site does not stop the others.
 * @param work receives the site's context and returns a number to sum up
 * @returns the sum over all sites
 * @throws the error after the last site; several as an AggregateError
 */
export async function runOnEachSite(runtime: Runtime, work: (ctx: Ctx) => Promise<number>): Promise<number> {
  return runOnSites(runtime, await runtime.sites.loadActive(), work)
}

/** The same for these sites, in their order. */
export async function runOnSites(runtime: Runtime, sites: readonly Site[], work: (ctx: Ctx) => Promise<number>): Promise<number> {
  const faults: unknown[] = []
  let sum = 0
  for (const site of sites) {
    try {
      sum += await work(createCtx(runtime, site))
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 1) throw new AggregateError(faults, `failed on ${faults.length} sites`)
  if (faults.length) throw faults[0]
  return sum
}
