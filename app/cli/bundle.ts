import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as Bundle from '../server.ts'
import { StartupFault } from '../server/startup-fault.ts'

/** The repository's root. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Imports the built server. @throws {StartupFault} if `dist` cannot be loaded */
export async function loadBundle(): Promise<typeof Bundle> {
  try {
    return (await import(pathToFileURL(`${ROOT}dist/server/server.js`).href)) as typeof Bundle
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new StartupFault(`What was built does not load (${why}): delete the folder dist and start again.`, { cause: error })
  }
}
