import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { describeFound, findDatasets } from './connectors.functions.ts'

const root = ['city-data'] as const
const POLL_INTERVAL_MS = 2000

export const connectorsQuery = queryOptions({
  queryKey: [...root, 'connectors'],
  queryFn: ({ signal }) => api.list('city-connectors', { page: { size: 100 }, signal }),
})

export const connectorQuery = (id: string) =>
  queryOptions({ queryKey: [...root, 'connector', id], queryFn: ({ signal }) => api.get('city-connectors', id, { signal }) })

/** The site's datasets, polled while any of them is being copied. */
export const datasetsQuery = queryOptions({
  queryKey: [...root, 'datasets'],
  queryFn: ({ signal }) => api.list('city-datasets', { page: { size: 100 }, include: ['connector', 'project', 'synchronisation'], signal }),
  refetchInterval: ({ state }) => (state.data?.data.some((row) => row.relationships.synchronisation) ? POLL_INTERVAL_MS : false),
})

export const datasetQuery = (id: string) =>
  queryOptions({
    queryKey: [...root, 'dataset', id],
    queryFn: ({ signal }) => api.get('city-datasets', id, { include: ['connector', 'project', 'synchronisation'], signal }),
    refetchInterval: ({ state }) => (state.data?.data.relationships.synchronisation ? POLL_INTERVAL_MS : false),
  })

/** The portal's own catalogue: requested anew for each search and never refetched or retried automatically. */
export const portalSearchQuery = (connector: string, words: string, page: number) =>
  queryOptions({
    queryKey: [...root, 'found', connector, words, page],
    queryFn: () => findDatasets({ data: { connector, words, page } }),
    retry: false,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

export const portalSourceQuery = (connector: string, source: string) =>
  queryOptions({
    queryKey: [...root, 'source', connector, source],
    queryFn: () => describeFound({ data: { connector, source } }),
    retry: false,
    staleTime: 60_000,
  })

/** After a change: refetches connectors, datasets and everything that shows them, but nothing from the portals. */
export const forgetCityData = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: root, predicate: ({ queryKey }) => queryKey[1] !== 'found' && queryKey[1] !== 'source' })
