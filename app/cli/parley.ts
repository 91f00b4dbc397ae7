import { enableCompileCache } from 'node:module'

/** What was compiled once is read back at the next start, which halves the time until Parley answers. */
enableCompileCache()
await import('./main.ts')
