import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Runtime } from '#app/server/runtime.ts'
import { countDue } from './due.server.ts'

const ENTRY = 'app/cli/copy-city-data.ts'
/** The heap it may fill: with everything around it the process stays below 300 MB, whatever a portal sends. */
const LIMITS = ['--max-old-space-size=160', '--max-semi-space-size=8']

/**
 * Makes the copies that are due in a process of their own: a table of a million rows takes neither the memory nor the time of those that
 * serve pages. It ends with its work, with `ending`, or with this process.
 */
export async function synchroniseApart(runtime: Runtime, ending: AbortSignal): Promise<void> {
  if (ending.aborted || (await countDue(runtime)) === 0) return
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

/** A source file: this one may lie in the finished bundle. */
function pathOf(file: string): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, file)) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, file)
}
