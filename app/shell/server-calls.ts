import type { serverFnFetcher as Fetcher } from '../../node_modules/@tanstack/start-client-core/dist/esm/client-rpc/serverFnFetcher.js'

const loadServerCalls = () => import('../../node_modules/@tanstack/start-client-core/dist/esm/client-rpc/serverFnFetcher.js')

/**
 * Calls a server function; the bundler gives it to the framework in place of its own (`cli/lazy-server-calls.ts`). Pages come with their data, so
 * the code for calls, which weighs as much as a survey, is only loaded when a call is likely.
 */
export const serverFnFetcher: typeof Fetcher = async (...call) => (await loadServerCalls()).serverFnFetcher(...call)

/** If this fails, the call itself tries again. */
export const preloadServerCalls = (): void => void loadServerCalls().catch(() => undefined)
