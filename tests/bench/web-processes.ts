import { accessSync, constants, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { listDescendants } from '#tests/support/process-tree.ts'
import { startProduct } from '#tests/support/product.ts'
import { type LoadPlan, runLoad } from './load.ts'
import { computeMedian, type Figures, type Measurement, roundTo } from './measurement.ts'
import type { BenchSetup } from './setup.ts'

/** Where Linux limits the processor time of groups of processes: control groups, version 1. */
const GROUPS = '/sys/fs/cgroup/cpu'
/** Part of a processor that each web process may use, so that clients and the database of the same machine never wait for one. */
const SHARE = 0.35
const PERIOD_US = 10_000
const ROUNDS = 2
const LEAST_TIMES = 1.7
/** Each visit renders it. */
const SURVEY = '/projects/fern-street/surveys/your-trip-your-stop'

/** What a second web process adds to pages that are rendered for each request. As root, on Linux. */
export const webProcesses: Measurement = {
  name: 'web processes',
  run: async (ground): Promise<Figures> => {
    if (!canLimitProcesses()) return { summary: `Not measured: needs root, and ${GROUPS}`, ratios: {}, values: {}, faults: [] }
    const rates = { one: [] as number[], two: [] as number[] }
    const faults: string[] = []
    await ground.product.stop()
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, count] of [
        ['one', 1],
        ['two', 2],
      ] as const) {
        const { perSecond, failed } = await measureProcesses(ground, count)
        rates[name].push(perSecond)
        faults.push(...failed)
      }
    }
    await ground.restart()
    const [one, two] = [computeMedian(rates.one), computeMedian(rates.two)]
    const times = two / one
    return {
      summary: `A survey’s page rendered by two web processes, against one; each may use ${SHARE} of a processor`,
      ratios: { times: roundTo(times) },
      values: { onePerSecond: roundTo(one, 1), twoPerSecond: roundTo(two, 1) },
      faults: [...faults, ...(times < LEAST_TIMES ? [`two processes render ${roundTo(times)} times as much as one`] : [])],
    }
  },
}

function canLimitProcesses(): boolean {
  try {
    accessSync(`${GROUPS}/cgroup.procs`, constants.W_OK)
    return true
  } catch {
    return false
  }
}

async function measureProcesses({ settings, short }: BenchSetup, count: number): Promise<{ perSecond: number; failed: string[] }> {
  const product = await startProduct({ ...settings, WEB_PROCESSES: String(count) })
  const main = product.process.pid ?? 0
  const pids =
    count === 1
      ? [main]
      : listDescendants(main)
          .filter(({ command }) => command.includes('web-process.ts'))
          .map(({ pid }) => pid)
  const groups = pids.map((pid) => `${GROUPS}/parley-bench-${pid}`)
  const plan: LoadPlan = { port: product.port, clients: 16, seconds: short ? 4 : 8, most: 100_000, path: SURVEY }
  try {
    // First without a limit: code that has not been compiled yet would take minutes with it.
    for (let turn = 0; turn < count + 1; turn++) await runLoad(plan)
    for (const [at, group] of groups.entries()) holdProcess(group, pids[at] ?? 0)
    await runLoad({ ...plan, seconds: 2 })
    const { perSecond, statuses } = await runLoad(plan)
    return { perSecond, failed: Object.keys(statuses).flatMap((status) => (status === '200' ? [] : [`${count} processes: ${status}`])) }
  } finally {
    await product.stop()
    for (const group of groups) rmdirSync(group)
  }
}

function holdProcess(group: string, pid: number): void {
  mkdirSync(group)
  writeFileSync(`${group}/cpu.cfs_period_us`, String(PERIOD_US))
  writeFileSync(`${group}/cpu.cfs_quota_us`, String(Math.round(SHARE * PERIOD_US)))
  writeFileSync(`${group}/cgroup.procs`, String(pid))
}
