import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { SuggestionRunState } from '#app/lib/vocabulary/heard.ts'
import { api } from '#app/shell/api.ts'
import { readDoubleCoding, readSampleTexts } from './double-coding/coding-samples.functions.ts'
import { readReadingProgress, readTexts, readTextSources } from './heard.functions.ts'
import { MAX_SUGGESTED_PASSAGES, type TextToRead } from './heard.schema.ts'

const root = ['heard'] as const

/** All themes of a project, those that were merged too. */
export const themesQuery = (project: string) =>
  queryOptions({
    queryKey: [...root, 'themes', project],
    queryFn: ({ signal }) => api.list('themes', { filter: { project }, page: { size: 100 }, signal }),
  })

/** What was coded to one theme, the oldest first. */
export const themePassagesQuery = (theme: string) =>
  queryOptions({
    queryKey: [...root, 'passages', theme],
    queryFn: ({ signal }) => api.list('theme-evidence', { filter: { theme }, page: { size: 100 }, signal }),
    staleTime: 0,
  })

export const decisionsQuery = (project: string) =>
  queryOptions({
    queryKey: [...root, 'decisions', project],
    queryFn: ({ signal }) => api.list('decisions', { filter: { project }, page: { size: 100 }, signal }),
  })

export const decisionQuery = (id: string) =>
  queryOptions({ queryKey: [...root, 'decision', id], queryFn: ({ signal }) => api.get('decisions', id, { signal }) })

export const decisionPublicationsQuery = (project: string) =>
  queryOptions({
    queryKey: [...root, 'publications', project],
    queryFn: ({ signal }) => api.list('decision-publications', { filter: { project }, signal }),
  })

export const textSourcesQuery = (project: string) =>
  queryOptions({ queryKey: [...root, 'sources', project], queryFn: () => readTextSources({ data: { project } }), staleTime: 0 })

export const readingProgressQuery = (project: string, source: string) =>
  queryOptions({
    queryKey: [...root, 'progress', project, source],
    queryFn: () => readReadingProgress({ data: { project, source } }),
    staleTime: 0,
  })

export interface TextsChoice {
  project: string
  source: string
  language?: ContentLanguage | undefined
  unread?: boolean | undefined
  /** One's own sample instead of the whole source. */
  sample?: string | undefined
}

/** The texts of one source, page by page. What is read or coded meanwhile is written into it, so that nothing moves under the reader. */
export const textsQuery = (choice: TextsChoice) =>
  infiniteQueryOptions({
    queryKey: [...root, 'texts', choice],
    queryFn: ({ pageParam }) => {
      const after = pageParam && { after: pageParam }
      const { sample, ...whole } = choice
      return sample ? readSampleTexts({ data: { sample, ...after } }) : readTexts({ data: { ...whole, ...after } })
    },
    initialPageParam: undefined as { at: string; id: string } | undefined,
    getNextPageParam: (page: TextToRead[]): { at: string; id: string } | undefined => {
      const last = page.at(-1)
      return last && { at: last.at, id: last.id }
    },
    staleTime: Infinity,
    gcTime: 0,
  })

const POLL_MS = 1000
const isInProgress = (state: SuggestionRunState): boolean => state === 'waiting' || state === 'running'

/** Suggestions that were asked for, the newest first; polls while they are being made. */
export const suggestionRunsQuery = (project: string, source: string, language: ContentLanguage) =>
  queryOptions({
    queryKey: [...root, 'suggestion-runs', project, source, language],
    queryFn: ({ signal }) => api.list('theme-suggestion-runs', { filter: { project, source, language }, page: { size: 20 }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.data.some((run) => isInProgress(run.state)) ? POLL_MS : false),
  })

/** What one run suggested, the largest first. */
export const suggestionsQuery = (run: string) =>
  queryOptions({
    queryKey: [...root, 'suggestions', run],
    queryFn: ({ signal }) => api.list('theme-suggestions', { filter: { run }, page: { size: 100 }, signal }),
    staleTime: 0,
  })

/** What a suggestion rests on, the clearest first. */
export const suggestedPassagesQuery = (suggestion: string) =>
  queryOptions({
    queryKey: [...root, 'suggested-passages', suggestion],
    queryFn: ({ signal }) =>
      api.list('theme-suggestion-passages', { filter: { suggestion }, page: { size: MAX_SUGGESTED_PASSAGES }, signal }),
    staleTime: 0,
  })

/** Samples of a question or activity, and what two people sorted differently. */
export const doubleCodingQuery = (project: string, source: string) =>
  queryOptions({
    queryKey: [...root, 'double-coding', project, source],
    queryFn: () => readDoubleCoding({ data: { project, source } }),
    staleTime: 0,
  })

/** All but the texts that somebody is reading. */
export const forgetHeard = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: root, predicate: ({ queryKey }) => queryKey[1] !== 'texts' })
