import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

export const CROWDS_KEY = ['crowds'] as const
export const CROWDS_PER_PAGE = 25

/** Unusually many supports or answers from one place, those that wait for a decision on top. */
export const crowdsQuery = (page: number) =>
  queryOptions({
    queryKey: [...CROWDS_KEY, page],
    queryFn: ({ signal }) => api.list('crowds', { include: ['survey', 'activity'], page: { number: page, size: CROWDS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })

/** Those of a survey that wait for a decision. */
export const waitingCrowdsQuery = (survey: string) =>
  queryOptions({
    queryKey: [...CROWDS_KEY, 'waiting', survey],
    queryFn: ({ signal }) => api.list('crowds', { filter: { survey, waiting: true }, page: { size: 100 }, signal }),
  })
