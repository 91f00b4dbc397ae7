import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getDesk } from './translations.functions.ts'
import type { DeskSearch } from './translations.schema.ts'

const root = ['translations'] as const

export const deskQuery = (search: DeskSearch) =>
  queryOptions({ queryKey: [...root, search], queryFn: () => getDesk({ data: search }), placeholderData: keepPreviousData })

/** After a translation was written: the desk, and every editor that may show it. */
export const forgetTexts = (queryClient: QueryClient) => queryClient.invalidateQueries()
