import { createCtx, type Ctx } from '../context.ts'
import type { Runtime } from '../runtime.ts'

/**
 * Does the same on every active site, as nobody in particular: one site after the other, which keeps the load even. A site where it fails
 * keeps none of the others from their turn.
 * @param work given the site's context; its number is added up
 * @returns the sum over all sites
 * @throws what failed, after the last site; several as an AggregateError
 */
export async function runOnEachSite(runtime: Runtime, work: (ctx: Ctx) => Promise<number>): Promise<number> {
  const faults: unknown[] = []
  let sum = 0
  for (const site of await runtime.sites.loadActive()) {
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
