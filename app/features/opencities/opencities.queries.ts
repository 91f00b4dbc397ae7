import { queryOptions } from '@tanstack/react-query'
import { getOpencitiesMeta } from './opencities.functions.ts'

/** `opencitiesIntegration.opencitiesMeta` of the page state. */
export const opencitiesMetaQuery = queryOptions({
  queryKey: ['opencitiesIntegration'],
  queryFn: () => getOpencitiesMeta(),
  staleTime: Infinity,
  gcTime: Infinity,
})
