import { fork } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseAway } from '../db/database-down.ts'
import type { Runtime } from '../runtime.ts'
import { findSourcePath } from '../source-path.ts'
import type { Job } from './run-jobs.ts'

const ENTRY = 'app/cli/job-process.ts'
/** How the child ends if the database was away: nothing is wrong with the job (`EX_TEMPFAIL` of sysexits). */
export const AWAY_EXIT_CODE = 75

interface OwnProcessOptions {
  /** Heap limit in MB; code and buffers take about another 60 MB. */
  heapMb: number
  /** How much work is pending: if none, no process is started. */
  waiting: (runtime: Runtime) => Promise<number>
}

/**
 * Runs a job in a child process, so that it takes neither memory nor CPU time from the processes that serve pages. The child ends with its
 * work, with the job's `ending` signal, or with this process.
 * @param work as `app/cli/job-process.ts` knows it
 */
export const runInOwnProcess =
  (work: 'copy-city-data' | 'make-exports' | 'suggest-themes' | 'count-rounds', { heapMb, waiting }: OwnProcessOptions): Job['run'] =>
  async (runtime, ending) => {
    if (ending.aborted || (await waiting(runtime)) === 0) return
    const execArgv = [...process.execArgv, `--max-old-space-size=${heapMb}`, '--max-semi-space-size=16']
    const child = fork(findSourcePath(ENTRY), [work], { execArgv, stdio: 'inherit' })
    const terminateChild = () => child.kill('SIGTERM')
    ending.addEventListener('abort', terminateChild)
    try {
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      if (code === AWAY_EXIT_CODE) throw new DatabaseAway('LEFT')
      if (code !== 0 && !ending.aborted) throw new Error(`The process for ${work} ended with ${signal ?? code}`)
    } finally {
      ending.removeEventListener('abort', terminateChild)
    }
  }
