import { enableCompileCache } from 'node:module'

/** Caches compiled code, which halves the time until Parley answers. */
enableCompileCache()
await import('./main.ts')
