import type { QueryClient } from '@tanstack/react-query'
import type { i18n } from 'i18next'
import { getSiteName } from '#app/shell/page-state.tsx'

/** Head of a page of this feature. Not indexed, and its address goes nowhere. */
export function buildIdentityHead(
  { i18n, queryClient }: { i18n: i18n; queryClient: QueryClient },
  page: 'failed' | 'requested' | 'staff' | 'methods',
) {
  const title = `${i18n.t(`identity:${page}.title`)} · ${getSiteName(queryClient)}`
  return { meta: [{ title }, { name: 'robots', content: 'noindex' }, { name: 'referrer', content: 'same-origin' }] }
}
