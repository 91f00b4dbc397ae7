/** Processor time of `doFixedWork` on a machine that tests' bounds are meant for. On the slowest machine seen it took 104 ms. */
const USUAL_MS = 65
const ROUNDS = 9

let slowness: number | undefined

/**
 * Starts to count the processor time of this process, which other work on the machine does not lengthen. On a slow machine it is shortened as
 * much as fixed work takes longer there, so that bounds say something about the code and not about the machine.
 * @returns milliseconds since
 */
export function startCpuClock(): () => number {
  slowness ??= measureSlowness()
  const [begun, factor] = [process.cpuUsage(), slowness]
  return () => toMilliseconds(process.cpuUsage(begun)) / factor
}

const toMilliseconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000

/** How many times as long as usual this machine takes; 1 if it is faster. */
function measureSlowness(): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const begun = process.cpuUsage()
    doFixedWork()
    return toMilliseconds(process.cpuUsage(begun))
  })
  const median = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? USUAL_MS
  return Math.max(1, median / USUAL_MS)
}

/** What most code does: objects, texts and fresh memory. */
function doFixedWork(): number {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ id: at, name: `row ${(at * 7919) % 20_000}`, values: [at, at * 2, at * 3] }))
  rows.sort((a, b) => (a.name < b.name ? -1 : 1))
  const text = JSON.stringify(rows)
  return (JSON.parse(text) as unknown[]).length + Buffer.alloc(8_000_000, 1).length + text.replaceAll('row', 'line').length
}
