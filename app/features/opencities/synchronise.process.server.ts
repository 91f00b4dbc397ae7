import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { and, eq, isNull, lte, or } from 'drizzle-orm'
import { createCtx } from '#app/server/context.ts'
import { cityConnectors, cityDatasets } from '#app/server/db/schema.ts'
import type { Runtime } from '#app/server/runtime.ts'

const ENTRY = 'app/cli/copy-city-data.ts'
/** The heap it may fill: with everything around it the process stays below 300 MB, whatever a portal sends. */
const LIMITS = ['--max-old-space-size=160', '--max-semi-space-size=8']

/**
 * Makes the copies that are due in a process of their own: a table of a million rows takes neither the memory nor the time of those that
 * serve pages. It ends with its work, with `ending`, or with this process.
 */
export async function synchroniseApart(runtime: Runtime, ending: AbortSignal): Promise<void> {
  if (ending.aborted || !(await isAnyDue(runtime))) return
  const child = fork(pathOf(ENTRY), { execArgv: [...process.execArgv, ...LIMITS], stdio: 'inherit' })
  const end = () => child.kill('SIGTERM')
  ending.addEventListener('abort', end)
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    if (code !== 0 && !ending.aborted) throw new Error(`The process that copies city data ended with ${signal ?? code}`)
  } finally {
    ending.removeEventListener('abort', end)
  }
}

/** Whether a dataset waits for its turn: the same condition as that of taking it. */
async function isAnyDue(runtime: Runtime): Promise<boolean> {
  const now = runtime.now()
  for (const site of await runtime.sites.active()) {
    const [due] = await createCtx(runtime, site).db.tx((tx) =>
      tx
        .select({ id: cityDatasets.id })
        .from(cityDatasets)
        .innerJoin(cityConnectors, and(eq(cityConnectors.siteId, cityDatasets.siteId), eq(cityConnectors.id, cityDatasets.connectorId)))
        .where(
          and(
            eq(cityDatasets.siteId, site.id),
            lte(cityDatasets.dueAt, now),
            or(isNull(cityDatasets.leaseUntil), lte(cityDatasets.leaseUntil, now)),
            or(isNull(cityConnectors.pausedUntil), lte(cityConnectors.pausedUntil, now)),
          ),
        )
        .limit(1),
    )
    if (due) return true
  }
  return false
}

/** A source file: this one may lie in the finished bundle. */
function pathOf(file: string): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, file)) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, file)
}
