import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { RecordSource } from '#app/shell/admin/record-sources.ts'
import { api } from '#app/shell/api.ts'
import type { Target } from './targets.schema.ts'
import type { TaskSearch } from './tasks/task-search.ts'
import { findColleagues } from './teamwork.functions.ts'

const root = ['teamwork'] as const
const MOST = 100

/** Comments on one thing, the newest first. `meta.open` says how many are open. */
export const commentsQuery = ({ kind, id }: Target) =>
  queryOptions({
    queryKey: [...root, 'comments', kind, id],
    queryFn: ({ signal }) =>
      api.list('team-comments', { filter: { targetKind: kind, targetId: id }, sort: '-createdAt', page: { size: MOST }, signal }),
    staleTime: 0,
  })

/** Tasks about one thing. */
export const targetTasksQuery = ({ kind, id }: Target) =>
  queryOptions({
    queryKey: [...root, 'tasks', kind, id],
    queryFn: ({ signal }) => api.list('tasks', { filter: { targetKind: kind, targetId: id }, page: { size: MOST }, signal }),
    staleTime: 0,
  })

/** A page of the list of tasks. */
export const tasksQuery = ({ project, whose, state, page = 1 }: TaskSearch) =>
  queryOptions({
    queryKey: [...root, 'list', project, whose, state, page],
    queryFn: ({ signal }) =>
      api.list('tasks', {
        filter: { state: state ?? 'open', ...(project && { project }), ...(whose !== 'all' && { mine: true }) },
        page: { number: page, size: 50 },
        signal,
      }),
    staleTime: 0,
  })

/** Colleagues who work on the same thing. `known` are those whose names are shown already. */
export const colleagueSource = ({ kind, id }: Target, known: readonly { id: string; name: string }[] = []): RecordSource => ({
  key: ['colleagues', kind, id],
  find: (words) => findColleagues({ data: { kind, id, words: words.slice(0, 100) } }),
  load: async (person) =>
    known.find((one) => one.id === person) ??
    (await findColleagues({ data: { kind, id, words: '' } })).choices.find((one) => one.id === person) ??
    null,
})

/** After each change: also dates and what the bell says may be others now. */
export const forgetTeamwork = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all([root, ['calendar'], ['cockpit'], ['notifications']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
