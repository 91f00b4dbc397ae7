import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const root = ['profile'] as const

/** Every question that the viewer may see, in its order. */
export const profileQuestionsQuery = queryOptions({
  queryKey: [...root, 'questions'],
  queryFn: async ({ signal }) => (await api.list('profile-questions', { page: { size: 50 }, signal })).data,
})

/** What these people said about themselves, without sensitive answers. */
export const profileAnswersQuery = (userIds: readonly string[]) =>
  queryOptions({
    queryKey: [...root, 'answers', userIds],
    queryFn: async ({ signal }) =>
      userIds.length === 0 ? [] : (await api.list('profile-answers', { filter: { user: [...userIds] }, page: { size: 500 }, signal })).data,
  })

export const forgetProfile = (queryClient: QueryClient): Promise<unknown> => queryClient.invalidateQueries({ queryKey: root })
