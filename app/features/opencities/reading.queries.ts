import { queryOptions } from '@tanstack/react-query'
import { readDatasets } from './reading.functions.ts'

/** Published datasets that the viewer sees, for choosing one in a block. */
export const publishedDatasetsQuery = queryOptions({
  queryKey: ['published-datasets'],
  queryFn: () => readDatasets({ data: { project: null } }),
  staleTime: 60_000,
})
