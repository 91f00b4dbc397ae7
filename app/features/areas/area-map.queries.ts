import { queryOptions } from '@tanstack/react-query'
import { readAreaMap } from './area-map.functions.ts'

export const areaMapQuery = queryOptions({ queryKey: ['area-map'], queryFn: () => readAreaMap(), staleTime: Infinity })
