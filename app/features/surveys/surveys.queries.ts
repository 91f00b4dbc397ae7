import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import type { ResponseTableSearch } from './responses/response-table-search.ts'
import type { SurveyTableSearch } from './managing/survey-table-search.ts'
import type { Definition } from './surveys.schema.ts'

const rootKey = ['surveys'] as const
export const SURVEYS_PER_TABLE = 20
export const RESPONSES_PER_TABLE = 25
export const WRITTEN_PER_LIST = 10
/** Stored figures cost next to nothing to read; a cohort is recounted each time. */
const LIVE_MS = 5000
const LIVE_PART_MS = 15_000
const EXPORT_MS = 1000

export const surveyTableQuery = (search: SurveyTableSearch) =>
  queryOptions({
    queryKey: [...rootKey, 'table', search],
    queryFn: ({ signal }) =>
      api.list('surveys', {
        filter: {
          managed: true,
          ...(search.q ? { q: search.q } : {}),
          ...(search.status ? { status: [search.status] } : {}),
          ...(search.project ? { project: [search.project] } : {}),
        },
        sort: search.sort ?? '-updatedAt',
        include: ['project'],
        fields: {
          surveys: ['title', 'status', 'state', 'projectVisibility', 'closesAt', 'responses', 'updatedAt', 'hasChanges', 'project'],
          projects: ['title', 'closesAt'],
        },
        page: { number: search.page ?? 1, size: SURVEYS_PER_TABLE },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** One survey with its project, for the editor. */
export const surveyQuery = (id: string) =>
  queryOptions({
    queryKey: [...rootKey, 'one', id],
    queryFn: ({ signal }) => api.get('surveys', id, { include: ['project'], signal }),
  })

/** Every published version with its definition, newest first. */
export const surveyVersionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...rootKey, 'versions', id],
    queryFn: async ({ signal }) => {
      const { data } = await api.list('survey-versions', { filter: { survey: id }, page: { size: 100 }, signal })
      return data.map((version) => ({ ...version, definition: version.definition as Definition }))
    },
  })

/** Whether the draft waits for a colleague, or was returned; an empty list if neither. */
export const surveyReviewQuery = (id: string) =>
  queryOptions({
    queryKey: [...rootKey, 'review', id],
    queryFn: ({ signal }) => api.list('survey-reviews', { filter: { survey: id }, signal }),
    staleTime: 0,
  })

/** What publishing the stored draft would do; never cached, since the draft changes. */
export const surveyChangesQuery = (id: string, lockVersion: number) =>
  queryOptions({
    queryKey: [...rootKey, 'changes', id, lockVersion],
    queryFn: async ({ signal }) => (await api.get('survey-changes', id, { signal })).data,
    staleTime: 0,
  })

/** Question bank of the site, newest first. */
export const bankQuery = queryOptions({
  queryKey: [...rootKey, 'bank'],
  queryFn: async ({ signal }) => (await api.list('bank-questions', { page: { size: 200 }, signal })).data,
})

export const responseTableQuery = (survey: string, { hide: _hide, ...search }: ResponseTableSearch) =>
  queryOptions({
    queryKey: [...rootKey, 'responses', survey, search],
    queryFn: ({ signal }) =>
      api.list('responses', {
        filter: {
          survey,
          ...(search.q ? { q: search.q } : {}),
          ...(search.language ? { language: [search.language] } : {}),
          ...(search.version ? { version: search.version } : {}),
          ...(search.from ? { from: search.from } : {}),
          ...(search.to ? { to: search.to } : {}),
          ...(search.source ? { source: search.source } : {}),
          ...(search.answer ? { answer: search.answer } : {}),
        },
        sort: search.sort ?? '-submittedAt',
        page: { number: search.page ?? 1, size: RESPONSES_PER_TABLE },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const responseQuery = (id: string) =>
  queryOptions({
    queryKey: [...rootKey, 'response', id],
    queryFn: async ({ signal }) => (await api.get('responses', id, { signal })).data,
  })

/** Figures of all responses, or of those matching the search; polled while on screen. */
export const surveyResultsQuery = (id: string, search: ResponseTableSearch = {}) =>
  queryOptions({
    queryKey: [...rootKey, 'results', id, search],
    queryFn: async ({ signal }) => {
      const { data } = await api.list('survey-results', { filter: { survey: id, ...toFigureFilter(search) }, signal })
      return data[0] ?? null
    },
    placeholderData: keepPreviousData,
    refetchInterval: Object.keys(toFigureFilter(search)).length > 0 ? LIVE_PART_MS : LIVE_MS,
  })

/** The API filter for the cohort in a results search. */
export const toCohortFilter = ({ language, version, source, from, to, answers }: ResponseTableSearch) => ({
  ...(language ? { language: [language] } : {}),
  ...(version ? { version } : {}),
  ...(source ? { source } : {}),
  ...(from ? { from } : {}),
  ...(to ? { to } : {}),
  ...(answers ? { answers } : {}),
})

/** The filter for figures only, which may also be by area or by what participants said about themselves. */
const toFigureFilter = (search: ResponseTableSearch) =>
  search.area ? { area: search.area } : search.profile ? { profile: search.profile } : toCohortFilter(search)

/** Polled while on screen. */
export const surveyCompletionQuery = (id: string) =>
  queryOptions({
    queryKey: [...rootKey, 'completion', id],
    queryFn: async ({ signal }) => (await api.get('survey-completions', id, { signal })).data,
    refetchInterval: LIVE_PART_MS,
  })

export const crossTableQuery = (survey: string, rows: string, columns: string, search: ResponseTableSearch = {}) =>
  queryOptions({
    queryKey: [...rootKey, 'cross', survey, rows, columns, search],
    queryFn: async ({ signal }) => {
      const filter = { survey, rows, columns, ...toFigureFilter(search) }
      return (await api.list('survey-cross-tables', { filter, signal })).data[0] ?? null
    },
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_PART_MS,
  })

export const groupComparisonQuery = (survey: string, by: string, { from, to }: ResponseTableSearch = {}) =>
  queryOptions({
    queryKey: [...rootKey, 'cross', survey, 'groups', by, from, to],
    queryFn: async ({ signal }) => {
      const filter = { survey, by, ...(from ? { from } : {}), ...(to ? { to } : {}) }
      return (await api.list('survey-comparisons', { filter, signal })).data[0] ?? null
    },
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_PART_MS,
  })

/** Which written answers to a question to list. */
export interface WrittenSearch {
  q?: string
  word?: string
  tag?: string
  untagged?: boolean
}

export const writtenAnswersQuery = (survey: string, question: string, search: ResponseTableSearch, written: WrittenSearch, page: number) =>
  queryOptions({
    queryKey: [...rootKey, 'written', survey, question, search, written, page],
    queryFn: ({ signal }) =>
      api.list('written-answers', {
        filter: { survey, question, ...written, ...toCohortFilter(search) },
        page: { number: page, size: WRITTEN_PER_LIST },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_PART_MS,
  })

export const FILES_PER_LIST = 10

/** Files sent in answer to a question, newest first. */
export const responseFilesQuery = (survey: string, question: string, page: number) =>
  queryOptions({
    queryKey: [...rootKey, 'files', survey, question, page],
    queryFn: ({ signal }) =>
      api.list('response-files', { filter: { survey, question }, page: { number: page, size: FILES_PER_LIST }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_PART_MS,
  })

export const writtenWordsQuery = (survey: string, question: string, search: ResponseTableSearch) =>
  queryOptions({
    queryKey: [...rootKey, 'written', survey, question, 'words', search],
    queryFn: async ({ signal }) =>
      (await api.list('written-words', { filter: { survey, question, ...toCohortFilter(search) }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const answerTagsQuery = (survey: string, question: string) =>
  queryOptions({
    queryKey: [...rootKey, 'written', survey, question, 'tags'],
    queryFn: async ({ signal }) => (await api.list('answer-tags', { filter: { survey, question }, signal })).data,
  })

/** After answers were tagged or untagged: every list for that question. */
export const invalidateWrittenAnswers = (queryClient: QueryClient, survey: string, question: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: [...rootKey, 'written', survey, question] })

/** Batches of codes and personal links for a survey, newest first. */
/** Codes and personal links for a survey or an activity. */
export const invitationBatchesQuery = ({ type, id }: { type: 'surveys' | 'activities'; id: string }) =>
  queryOptions({
    queryKey: [...rootKey, 'invitations', id],
    queryFn: async ({ signal }) =>
      type === 'surveys'
        ? await api.list('survey-invitation-batches', { filter: { survey: id }, page: { size: 100 }, signal })
        : await api.list('activity-invitation-batches', { filter: { activity: id }, page: { size: 100 }, signal }),
  })

/** Exports of a survey's responses; polled while one is in progress. */
export const surveyExportsQuery = (survey: string) =>
  queryOptions({
    queryKey: [...rootKey, 'exports', survey],
    queryFn: async ({ signal }) => (await api.list('exports', { filter: { survey }, page: { size: 10 }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.some((file) => file.state === 'waiting' || file.state === 'running') ? EXPORT_MS : false),
  })

/** After an import of responses: everything that shows them. */
export const invalidateResponses = (queryClient: QueryClient, survey: string): Promise<void[]> =>
  Promise.all(
    ['responses', 'results', 'cross', 'written', 'completion', 'one'].map((what) =>
      queryClient.invalidateQueries({ queryKey: [...rootKey, what, survey] }),
    ),
  )

/** After a change: the survey itself, if given, and every table that may show it. */
export async function invalidateSurvey(queryClient: QueryClient, id?: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [...rootKey, 'table'] }),
    id ? queryClient.invalidateQueries({ queryKey: [...rootKey, 'one', id] }) : undefined,
    id ? queryClient.invalidateQueries({ queryKey: [...rootKey, 'versions', id] }) : undefined,
    id ? queryClient.invalidateQueries({ queryKey: [...rootKey, 'review', id] }) : undefined,
  ])
}
