import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const root = ['budgets']

const ITEMS_AT_ONCE = 100

/** A list to its end, however long it is. */
async function readWholeList<Item>(readPage: (page: { number: number; size: number }) => Promise<{ readonly data: readonly Item[] }>) {
  const data: Item[] = []
  for (let number = 1; ; number++) {
    const page = await readPage({ number, size: ITEMS_AT_ONCE })
    data.push(...page.data)
    if (page.data.length < ITEMS_AT_ONCE) return { data }
  }
}

export const roundsQuery = (project: string) =>
  queryOptions({
    queryKey: [...root, 'rounds', project],
    queryFn: ({ signal }) => api.list('budget-rounds', { filter: { project }, page: { size: 100 }, signal }),
  })

export const roundQuery = (id: string) =>
  queryOptions({ queryKey: [...root, 'round', id], queryFn: ({ signal }) => api.get('budget-rounds', id, { signal }) })

export const potsQuery = (round: string) =>
  queryOptions({
    queryKey: [...root, 'pots', round],
    queryFn: ({ signal }) => api.list('budget-pots', { filter: { round }, page: { size: 100 }, signal }),
  })

export const optionsQuery = (round: string) =>
  queryOptions({
    queryKey: [...root, 'options', round],
    queryFn: ({ signal }) => readWholeList((page) => api.list('budget-options', { filter: { round }, page, signal })),
  })

export const resultsQuery = (round: string) =>
  queryOptions({
    queryKey: [...root, 'results', round],
    queryFn: ({ signal }) => api.list('budget-results', { filter: { round }, page: { size: 20 }, signal }),
  })

const POLL_MS = 1000

/** Counts of a round in the background, the newest first. Asked for again while one is in progress. */
export const countsQuery = (round: string) =>
  queryOptions({
    queryKey: [...root, 'counts', round],
    queryFn: ({ signal }) => api.list('budget-counts', { filter: { round }, page: { size: 1 }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.data.some((count) => count.state === 'waiting' || count.state === 'running') ? POLL_MS : false,
  })

export const overridesQuery = (round: string) =>
  queryOptions({
    queryKey: [...root, 'overrides', round],
    queryFn: ({ signal }) => readWholeList((page) => api.list('budget-overrides', { filter: { round }, page, signal })),
  })

export const paperBatchesQuery = (round: string) =>
  queryOptions({
    queryKey: [...root, 'paper-batches', round],
    queryFn: ({ signal }) => api.list('budget-paper-batches', { filter: { round }, page: { size: 100 }, signal }),
  })

export const paperBatchQuery = (id: string) =>
  queryOptions({ queryKey: [...root, 'paper-batch', id], queryFn: ({ signal }) => api.get('budget-paper-batches', id, { signal }) })

/** Sheets that two people have typed differently. */
export const differingSheetsQuery = (batch: string) =>
  queryOptions({
    queryKey: [...root, 'differing-sheets', batch],
    queryFn: ({ signal }) => api.list('budget-paper-sheets', { filter: { batch, state: ['differs'] }, page: { size: 100 }, signal }),
  })

/** Activities of a project whose contributions options can be made from. */
export const proposalActivitiesQuery = (project: string) =>
  queryOptions({
    queryKey: [...root, 'proposal-activities', project],
    queryFn: ({ signal }) => api.list('activities', { filter: { project }, page: { size: 100 }, signal }),
  })

export const proposalsQuery = (activity: string) =>
  queryOptions({
    queryKey: [...root, 'proposals', activity],
    queryFn: ({ signal }) =>
      readWholeList((page) => api.list('contributions', { filter: { activity, state: ['published'] }, sort: 'number', page, signal })),
  })

export const forgetBudgets = (queryClient: QueryClient): Promise<void> => queryClient.invalidateQueries({ queryKey: root })
