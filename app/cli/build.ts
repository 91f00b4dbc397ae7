import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { ROOT } from './bundle.ts'
import type { CommandCall } from './commands.ts'
import { isDiskFull, StartupFault } from '../server/startup-fault.ts'

/** Inputs of the built bundle. */
const SOURCES = [
  'app',
  'app/cli/lazy-server-calls.ts',
  'app/cli/participant-routes.ts',
  'app/cli/script-groups.ts',
  'app/cli/style-rules.ts',
  'locales',
  'public',
  'app.config.ts',
  'package-lock.json',
  'tsconfig.json',
]
/** Files among the sources that are not part of the bundle. */
const NOT_BUNDLED = /(\.test\.tsx?|\.md|\/app\/cli|\/app\/server\/db\/migrations)$/
const WAIT_FOR_OTHER_MS = 10 * 60_000
/** SQLite's codes for a file that is read-only, and for one that cannot be created. */
const CANNOT_WRITE: ReadonlySet<unknown> = new Set([8, 14])

/** `parley build`; `start` does the same automatically. */
export const buildCommand = ({ say }: CommandCall): Promise<void> => ensureBuilt(ROOT, say)

/** Builds the browser and server bundles into `dist`, unless they are up to date. */
export async function ensureBuilt(root: string, say: (line: string) => void): Promise<void> {
  if (isBuilt(root)) return
  const lock = lockBuild(root)
  if (!lock) return useOlderBuild(root, say)
  try {
    if (isBuilt(root)) return
    say('Building Parley…')
    await buildBundles(root)
  } catch (error) {
    if (isDiskFull(error))
      throw new StartupFault('There is no room left on the disk to build Parley: free some and start again.', { cause: error })
    if (!isToolMissing(error)) throw new StartupFault(`Parley could not be built: ${getFirstLine(error)}`, { cause: error })
    if (!existsSync(getBundlePath(root)))
      throw new StartupFault('Parley is not built, and the tools to build it are not installed: run npm ci.', { cause: error })
    say('The tools to build Parley are not installed: serving what was built before.')
  } finally {
    lock.close()
  }
}

/** True if `dist` is complete and no source changed, appeared or disappeared after the build. */
export function isBuilt(root: string): boolean {
  const bundle = getBundlePath(root)
  if (!existsSync(bundle) || !existsSync(join(root, 'dist/client'))) return false
  const built = statSync(bundle).mtimeMs
  return SOURCES.every((name) => !existsSync(join(root, name)) || findNewestChange(join(root, name)) <= built)
}

/** A process keeps most of the memory it once needed, and the one that builds may go on to serve pages. */
async function buildBundles(root: string): Promise<void> {
  const child = fork(fileURLToPath(new URL('./build-process.ts', import.meta.url)), [root], {
    env: { ...process.env, NODE_ENV: 'production' },
  })
  let fault: { sentence: string; code?: string } | undefined
  child.on('message', (message) => (fault = message as typeof fault))
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (fault) throw Object.assign(new Error(fault.sentence), { code: fault.code })
  if (code !== 0) throw new Error(`the process that builds ended with ${signal ?? code}`)
}

/**
 * Two starts from the same folder build only once: the second waits for the first.
 * @returns undefined if this user may not write there, as in a container
 */
function lockBuild(root: string): DatabaseSync | undefined {
  try {
    const lock = new DatabaseSync(join(root, 'node_modules/.parley-build.lock'), { timeout: WAIT_FOR_OTHER_MS })
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && CANNOT_WRITE.has(error.errcode)) return undefined
    throw error
  }
}

/** @throws {StartupFault} if there is none */
function useOlderBuild(root: string, say: (line: string) => void): void {
  if (!existsSync(getBundlePath(root)))
    throw new StartupFault(`Parley is not built, and this user may not write to ${root}: run npm run build there as its owner.`)
  say(`This user may not write to ${root}: serving what was built before.`)
}

const getBundlePath = (root: string) => join(root, 'dist/server/server.js')

const isToolMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'

const getFirstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).trim().split('\n')[0]

function findNewestChange(path: string): number {
  const info = statSync(path)
  if (!info.isDirectory()) return info.mtimeMs
  let latest = info.mtimeMs
  for (const name of readdirSync(path)) {
    const below = join(path, name)
    if (!NOT_BUNDLED.test(below)) latest = Math.max(latest, findNewestChange(below))
  }
  return latest
}
