import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { writeKinds } from './write-kinds.ts'

/**
 * Writes `app/routeTree.gen.ts` from the files in `app/routes`, as `vite build` and `vite dev` do automatically, and the registry of the
 * kinds of activity from their folders.
 */
writeKinds()
const server = await createServer({
  configFile: fileURLToPath(new URL('../../app.config.ts', import.meta.url)),
  server: { middlewareMode: true, ws: false },
  logLevel: 'error',
})
await server.close()
