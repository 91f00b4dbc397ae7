import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const SERVER_CALLS = fileURLToPath(new URL('../shell/server-calls.ts', import.meta.url))

/** Replaces the framework's way to call server functions by one that is loaded later (`app/shell/server-calls.ts`). */
export const lazyServerCalls: Plugin = {
  name: 'parley:lazy-server-calls',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: (environment) => environment.name === 'client',
  resolveId: (source, importer) =>
    source === './serverFnFetcher.js' && importer?.endsWith('/client-rpc/createClientRpc.js') ? SERVER_CALLS : null,
}
