import type { serverFnFetcher as Fetcher } from '../../node_modules/@tanstack/start-client-core/dist/esm/client-rpc/serverFnFetcher.js'

let loaded: typeof Fetcher | undefined

const loadServerCalls = async () => {
  const module = await import('../../node_modules/@tanstack/start-client-core/dist/esm/client-rpc/serverFnFetcher.js')
  return (loaded = module.serverFnFetcher)
}

/**
 * Calls a server function; the bundler gives it to the framework in place of its own (`cli/lazy-server-calls.ts`). Pages come with their data, so
 * the code for calls, which weighs as much as a survey, is only loaded when a call is likely. Once it is, a call leaves at once, also from a page
 * that is being closed.
 */
export const serverFnFetcher: typeof Fetcher = async (...call) => (loaded ?? (await loadServerCalls()))(...call)

/** If this fails, the call itself tries again. */
export const preloadServerCalls = (): void => void loadServerCalls().catch(() => undefined)
