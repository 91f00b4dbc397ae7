import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { currentSiteQuery, siteSettingsQuery } from '#app/shell/page-state.queries.ts'
import { getTranslationGaps } from './site-settings.functions.ts'

const root = ['own-site'] as const

export const ownSiteQuery = (id: string) =>
  queryOptions({ queryKey: [...root, 'site', id], queryFn: ({ signal }) => api.get('sites', id, { signal }) })

export const topicListQuery = queryOptions({
  queryKey: [...root, 'topics'],
  queryFn: ({ signal }) => api.list('topics', { page: { size: 100 }, sort: 'title', signal }),
})

export const translationGapsQuery = queryOptions({
  queryKey: [...root, 'translation-gaps'],
  queryFn: () => getTranslationGaps(),
  staleTime: 0,
})

/** After a change of the site's settings: its name and languages stand on every page. */
export const forgetOwnSite = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all([root, currentSiteQuery.queryKey, siteSettingsQuery.queryKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
