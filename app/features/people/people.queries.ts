import { queryOptions } from '@tanstack/react-query'
import { getActivity } from './people.functions.ts'

export const activityQuery = (id: string) =>
  queryOptions({ queryKey: ['people', 'activity', id], queryFn: () => getActivity({ data: { id } }) })
