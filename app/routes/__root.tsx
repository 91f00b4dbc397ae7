import { createRootRouteWithContext } from '@tanstack/react-router'
import type { RouterContext } from '#app/shell/router-context.ts'
import { Document, buildDocumentHead } from '#app/shell/document.tsx'
import { Shell } from '#app/shell/shell.tsx'
import { StandaloneError, StandaloneNotFound } from '#app/shell/error-page.tsx'
import { ensureTexts, collectNamespaces } from '#app/shell/i18n.ts'
import { ensurePageState } from '#app/shell/page-state.queries.ts'

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: async ({ context, matches, location, cause }) => {
    // A page's texts come with it when it is opened; on the way to another page they may fail to load.
    const next = cause === 'enter' ? undefined : location.publicHref
    await Promise.all([ensurePageState(context.queryClient), ensureTexts(context.i18n, collectNamespaces(matches), next)])
  },
  head: ({ match, matches }) => buildDocumentHead(match.context, matches),
  shellComponent: Document,
  component: Shell,
  errorComponent: StandaloneError,
  notFoundComponent: StandaloneNotFound,
})
