import { queryOptions } from '@tanstack/react-query'
import { loadSendingProgress } from './desk.functions.ts'

const LOOK_AGAIN_MS = 1000

export const sendingQuery = (id: string) =>
  queryOptions({
    queryKey: ['answer-set', id],
    queryFn: () => loadSendingProgress({ data: { id } }),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' || state.data?.state === 'running' ? LOOK_AGAIN_MS : false),
  })
