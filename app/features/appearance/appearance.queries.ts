import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const root = ['appearance'] as const

/** The newest revision of the site's appearance, if there is any. */
export const appearanceDraftQuery = queryOptions({
  queryKey: [...root, 'draft'],
  queryFn: async ({ signal }) => {
    const { data } = await api.list('appearance-revisions', { sort: '-createdAt', page: { size: 1 }, signal })
    return data[0] ?? null
  },
  staleTime: 0,
  gcTime: 0,
})

/** Every revision, newest first: they are small. */
export const appearanceHistoryQuery = queryOptions({
  queryKey: [...root, 'history'],
  queryFn: async ({ signal }) => (await api.list('appearance-revisions', { sort: '-createdAt', page: { size: 60 }, signal })).data,
  staleTime: 0,
})
