import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import type { OpenAnswerState } from './open-answers.schema.ts'

const root = ['open-answers'] as const
export const ANSWERS_PER_PAGE = 50

export const openAnswersQuery = (survey: string, state: OpenAnswerState | undefined, page: number) =>
  queryOptions({
    queryKey: [...root, survey, state, page],
    queryFn: ({ signal }) =>
      api.list('open-answers', { filter: { survey, ...(state ? { state } : {}) }, page: { number: page, size: ANSWERS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })

export const forgetOpenAnswers = (queryClient: QueryClient, survey: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: [...root, survey] })
