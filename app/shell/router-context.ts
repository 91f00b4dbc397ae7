import type { QueryClient } from '@tanstack/react-query'
import type { i18n } from 'i18next'

/** What every route receives: the query cache and the texts of this page view. */
export interface RouterContext {
  queryClient: QueryClient
  i18n: i18n
}
