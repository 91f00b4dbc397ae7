import { tmpdir } from 'node:os'
import { join } from 'node:path'

const OLDEST_NODE = 24

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
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
  await import('./main.ts')
}
