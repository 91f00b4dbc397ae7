import { tmpdir } from 'node:os'
import { join } from 'node:path'

const OLDEST_NODE = 24

/**
 * Without this, the C library raises by itself, to some megabytes for each thread, what it keeps of freed memory: a process that has drawn
 * pictures would keep 200 MB that nobody uses, and refuse work for want of memory. Pieces from the second size on, such as kept pages, go back to the
 * system as soon as they are freed. The library reads both when a process begins.
 */
const KEPT_OF_FREED = { MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '65536' }
const servesPages = ['start', 'dev'].includes(process.argv[2])
const isSet = Object.keys(KEPT_OF_FREED).some((name) => process.env[name])
const beginsAgain = servesPages && process.platform === 'linux' && process.execve && !process.send && !isSet

/**
 * This file is JavaScript that any Node since 16 understands, and imports nothing newer before it has looked which Node runs it. It caches compiled
 * code, which halves the time until Parley answers, for this process and those that it starts: Node then loads its TypeScript compiler, 18 MB,
 * only for what is not in the cache yet.
 */
if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(
    `Parley needs Node ${OLDEST_NODE} or newer, and this is Node ${process.versions.node}: start it with npm, which uses the Node that npm ci installs (npm start, or npm run -s parley -- <command>).`,
  )
  process.exitCode = 1
} else {
  if (beginsAgain) {
    const environment = { ...process.env, ...KEPT_OF_FREED }
    process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], environment)
  }
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
  await import('./main.ts')
}
