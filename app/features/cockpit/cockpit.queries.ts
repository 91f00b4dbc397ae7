import { queryOptions } from '@tanstack/react-query'
import { getCockpit } from './cockpit.functions.ts'

export const cockpitQuery = (project: string) =>
  queryOptions({ queryKey: ['cockpit', project], queryFn: () => getCockpit({ data: { project } }), staleTime: 0 })
