import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

/** The latest review of a project that waits or was returned; an empty list if there is none. */
export const projectReviewQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', 'review', project],
    queryFn: ({ signal }) => api.list('project-reviews', { filter: { project }, signal }),
  })
