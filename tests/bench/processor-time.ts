import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks of Linux for one second of processor time. */
const TICKS = 100

/** User and system time of a process, then of its children that ended: fields 14 to 17 of proc(5), here without the first two. */
const sumTicks = (fields: readonly string[]): number => fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)

/** Processor time in seconds that some processes, and all below them, have used since they began. */
export function readProcessorTime(roots: readonly number[]): number {
  const parents = new Map<number, { parent: number; seconds: number }>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    try {
      // The second field, the name in parentheses, may itself hold spaces.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      parents.set(pid, { parent: Number(fields[1]), seconds: sumTicks(fields) / TICKS })
    } catch {
      // It ended meanwhile.
    }
  }
  const isBelow = (pid: number): boolean => roots.includes(pid) || (parents.has(pid) && pid > 1 && isBelow(parents.get(pid)?.parent ?? 0))
  return [...parents].reduce((sum, [pid, { seconds }]) => (isBelow(pid) ? sum + seconds : sum), 0)
}
