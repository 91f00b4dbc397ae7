import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { readPagePictures } from './media.functions.ts'
import type { MediaSearch } from './media-search.ts'

const root = ['media'] as const
export const PICTURES_PER_PAGE = 24

export const picturesQuery = (search: MediaSearch) =>
  queryOptions({
    queryKey: [...root, 'list', search],
    queryFn: ({ signal }) =>
      api.list('media-assets', {
        filter: { ...(search.q ? { q: search.q } : {}), ...(search.missing ? { missingAlternative: true } : {}) },
        page: { number: search.page ?? 1, size: PICTURES_PER_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Pictures that pages show without the library. */
export const pagePicturesQuery = queryOptions({ queryKey: [...root, 'on-pages'], queryFn: () => readPagePictures(), staleTime: 0 })

/** One picture with the places that use it. */
export const pictureQuery = (id: string) =>
  queryOptions({
    queryKey: [...root, 'one', id],
    queryFn: ({ signal }) => api.get('media-assets', id, { signal }),
    // Its places change on other screens.
    staleTime: 0,
  })

export type PictureDocument = Awaited<ReturnType<NonNullable<ReturnType<typeof pictureQuery>['queryFn']>>>['data']

export const invalidatePictures = (queryClient: QueryClient): Promise<void> => queryClient.invalidateQueries({ queryKey: root })
