import { queryOptions } from '@tanstack/react-query'
import { readAreaMap } from './area-map.functions.ts'

/** The site's areas as they are drawn. */
export const areaMapQuery = queryOptions({ queryKey: ['area-map'], queryFn: () => readAreaMap(), staleTime: Infinity })
