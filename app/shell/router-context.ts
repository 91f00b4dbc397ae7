import type { QueryClient } from '@tanstack/react-query'
import type { i18n } from 'i18next'

/** What every route is given: the cache of this page view, and its texts. */
export interface RouterContext {
  queryClient: QueryClient
  i18n: i18n
}
