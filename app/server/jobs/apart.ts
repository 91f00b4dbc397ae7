import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Runtime } from '../runtime.ts'
import { sourcePath } from '../source-path.ts'
import type { Job } from './run-jobs.ts'

const ENTRY = 'app/cli/work-apart.ts'

interface Apart {
  /** The heap that it may fill, in MB; its code and buffers take about 60 MB besides. */
  heapMb: number
  /** How much there is to do: for nothing, no process is started. */
  waiting: (runtime: Runtime) => Promise<number>
}

/**
 * A job that is done in a process of its own, which takes neither the memory nor the time of those that serve pages. It ends with its work,
 * with the job's `ending`, or with this process.
 * @param work as `app/cli/work-apart.ts` knows it
 */
export const apart =
  (work: 'copy-city-data' | 'make-exports', { heapMb, waiting }: Apart): Job['run'] =>
  async (runtime, ending) => {
    if (ending.aborted || (await waiting(runtime)) === 0) return
    const execArgv = [...process.execArgv, `--max-old-space-size=${heapMb}`, '--max-semi-space-size=16']
    const child = fork(sourcePath(ENTRY), [work], { execArgv, stdio: 'inherit' })
    const end = () => child.kill('SIGTERM')
    ending.addEventListener('abort', end)
    try {
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      if (code !== 0 && !ending.aborted) throw new Error(`The process for ${work} ended with ${signal ?? code}`)
    } finally {
      ending.removeEventListener('abort', end)
    }
  }
