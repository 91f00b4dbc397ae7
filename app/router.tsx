import { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { setupRouterSsrQueryIntegration } from '@tanstack/react-router-ssr-query'
import { createIsomorphicFn } from '@tanstack/react-start'
import { I18nextProvider } from 'react-i18next'
import { isAppError } from './lib/app-error.ts'
import { needsWholeTree } from './lib/editors-path.ts'
import { splitLanguage } from './lib/languages.ts'
import { parseSearchParams, stringifySearchParams } from './lib/search-params.ts'
import { routeTree } from './routeTree.gen.ts'
import { createLanguageRewrite } from './shell/language-rewrite.ts'
import { getCspNonce } from './shell/csp-nonce.ts'
import { setStatusFromMatches } from './shell/faults.ts'
import { StandaloneNotFound, PageError } from './shell/error-page.tsx'
import { createI18n, collectNamespaces, hydrateTexts, placeTexts } from './shell/i18n.ts'
import { reportError } from './shell/report-error.ts'
import type { RouterContext } from './shell/router-context.ts'

/** In a browser, `routeTree` holds only the pages that anybody may visit (`app/cli/participant-routes.ts`). */
const loadRouteTree = createIsomorphicFn()
  .server(async () => routeTree)
  .client(async () =>
    needsWholeTree(splitLanguage(window.location.pathname).path) ? (await import('./routeTree.gen.ts?whole')).routeTree : routeTree,
  )

export async function getRouter() {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: (failures, error) => typeof window !== 'undefined' && failures < 1 && !isAppError(error) },
    },
  })
  const nonce = getCspNonce()
  const i18n = createI18n()
  const router = createRouter({
    routeTree: await loadRouteTree(),
    context: { queryClient, i18n } satisfies RouterContext,
    rewrite: createLanguageRewrite(),
    parseSearch: parseSearchParams,
    stringifySearch: stringifySearchParams,
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    trailingSlash: 'never',
    defaultErrorComponent: PageError,
    defaultOnCatch: reportError,
    defaultNotFoundComponent: StandaloneNotFound,
    dehydrate: (): { texts: string } => {
      setStatusFromMatches(router.state.matches)
      return { texts: placeTexts(i18n, collectNamespaces(router.state.matches)) }
    },
    hydrate: ({ texts }) => hydrateTexts(i18n, texts),
    Wrap: ({ children }) => <I18nextProvider i18n={i18n}>{children}</I18nextProvider>,
    ...(nonce ? { ssr: { nonce } } : {}),
  })
  setupRouterSsrQueryIntegration({ router, queryClient })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: Awaited<ReturnType<typeof getRouter>>
  }
}
