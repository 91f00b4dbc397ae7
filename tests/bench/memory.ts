import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { describeLoadFaults, runLoad } from './load.ts'
import { GOALS } from './goals.ts'
import type { Measurement } from './measurement.ts'

/** Each request renders a page, because these pages are not shared among administrators. */
const PAGES = ['/', '/projects/fern-street', '/admin/projects', '/projects?q=tree', '/projects/riverfront/trees']
/** No two of these searches are the same, so none is answered from memory. */
const SEARCHES = { path: '/search?q=tree{n}', most: 2500 }
const IDLE_MS = 15_000

/** Memory of the web process (RSS), in MB: after a start, idle, and the most it ever had while pages and searches are rendered for 30 clients. */
export const memory: Measurement = {
  name: 'memory',
  async run(ground) {
    await ground.restart()
    const { product, short, administrator } = ground
    const started = readMemory(product.process.pid, 'VmRSS')
    await wait(IDLE_MS)
    const idle = readMemory(product.process.pid, 'VmRSS')
    let faults: string[] = []
    for (const path of PAGES) {
      const plan = { port: product.port, clients: 30, seconds: 120, most: short ? 200 : 800, path }
      const { statuses } = await runLoad({ ...plan, headers: { host: 'riverbend.localhost', cookie: `token=${administrator}` } })
      faults = [
        ...faults,
        ...Object.entries(statuses).flatMap(([status, times]) => (status === '200' ? [] : [`${path}: ${times} × ${status}`])),
      ]
    }
    const searching = { port: product.port, clients: 30, seconds: 120, most: short ? 611 : SEARCHES.most, path: SEARCHES.path }
    const searched = await runLoad({ ...searching, headers: { host: 'riverbend.localhost' } })
    faults = [...faults, ...describeLoadFaults('searches of visitors', searched)]
    const megabytes = readMemory(product.process.pid, 'VmHWM')
    const limit = GOALS['memory']?.withinMb ?? 0
    if (megabytes > limit) faults = [...faults, `${megabytes} MB are more than the ${limit} that a process may take`]
    return {
      summary: 'MB of the web process after a second start, 15 s later, and at most under load',
      ratios: {},
      values: { started, idle, megabytes },
      faults,
    }
  },
}

function readMemory(pid: number | undefined, name: 'VmRSS' | 'VmHWM'): number {
  const found = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Math.round(Number(found?.[1]) / 1000)
}
