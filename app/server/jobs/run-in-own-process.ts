import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Runtime } from '../runtime.ts'
import { findSourcePath } from '../source-path.ts'
import type { Job } from './run-jobs.ts'

const ENTRY = 'app/cli/job-process.ts'

interface OwnProcessOptions {
  /** The heap that it may fill, in MB; its code and buffers take about 60 MB besides. */
  heapMb: number
  /** How much there is to do: for nothing, no process is started. */
  waiting: (runtime: Runtime) => Promise<number>
}

/**
 * A job that is done in a process of its own, which takes neither the memory nor the time of those that serve pages. It ends with its work,
 * with the job's `ending`, or with this process.
 * @param work as `app/cli/job-process.ts` knows it
 */
export const runInOwnProcess =
  (work: 'copy-city-data' | 'make-exports', { heapMb, waiting }: OwnProcessOptions): Job['run'] =>
  async (runtime, ending) => {
    if (ending.aborted || (await waiting(runtime)) === 0) return
    const execArgv = [...process.execArgv, `--max-old-space-size=${heapMb}`, '--max-semi-space-size=16']
    const child = fork(findSourcePath(ENTRY), [work], { execArgv, stdio: 'inherit' })
    const terminateChild = () => child.kill('SIGTERM')
    ending.addEventListener('abort', terminateChild)
    try {
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      if (code !== 0 && !ending.aborted) throw new Error(`The process for ${work} ended with ${signal ?? code}`)
    } finally {
      ending.removeEventListener('abort', terminateChild)
    }
  }
