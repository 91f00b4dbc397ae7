import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Caches compiled code, which halves the time until Parley answers, for this process and those that it starts. This file is JavaScript so that
 * Node loads its TypeScript compiler, 18 MB, only for what is not in the cache yet.
 */
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')
enableCompileCache()
await import('./main.ts')
