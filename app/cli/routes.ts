import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

/** Writes `app/routeTree.gen.ts` from the files in `app/routes`, as `vite build` and `vite dev` do automatically. */
const server = await createServer({
  configFile: fileURLToPath(new URL('../../app.config.ts', import.meta.url)),
  server: { middlewareMode: true, ws: false },
  logLevel: 'error',
})
await server.close()
