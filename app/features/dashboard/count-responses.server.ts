import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { applyChanges, lockFigures } from './apply-changes.server.ts'
import { isCountedByCalendar, recountSite } from './recount-responses.server.ts'

/**
 * Adds what changed since the last run to the figures about responses. A site that was never counted, or whose time zone changed, is counted
 * from its responses; `recountResponses` does the same where nothing changes. Run by a job. @returns number of changes
 */
export const countResponses = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, async (ctx) => {
    const { db, site, now } = ctx
    if (!(await db.read((tx) => isCountedByCalendar(tx, site.id)))) return recountSite(ctx)
    return db.tx(async (tx) => {
      await lockFigures(tx, site.id)
      return applyChanges(tx, site.id, now())
    })
  })
