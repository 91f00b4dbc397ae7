import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { MAX_VIEWS, type SavedTable } from './saved-views.schema.ts'

/** The viewer's own views of one table, by name. */
export const savedViewsQuery = (table: SavedTable, survey?: string) =>
  queryOptions({
    queryKey: ['saved-views', table, survey ?? null],
    queryFn: ({ signal }) =>
      api.list('saved-views', { filter: { table, ...(survey === undefined ? {} : { survey }) }, page: { size: MAX_VIEWS }, signal }),
  })
