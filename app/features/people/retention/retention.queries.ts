import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const root = ['retention'] as const

export const projectRetentionQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...root, 'project', projectId],
    queryFn: ({ signal }) => api.get('project-retentions', projectId, { signal }),
  })

/** The next projects whose personal data goes, with their titles. */
export const nextRemovalsQuery = queryOptions({
  queryKey: [...root, 'next'],
  queryFn: ({ signal }) =>
    api.list('project-retentions', {
      filter: { planned: true },
      include: ['project'],
      fields: { 'project-retentions': ['keptMonths', 'siteMonths', 'removalAt', 'project'], projects: ['title'] },
      page: { size: 100 },
      signal,
    }),
})

/** The site's setting; an empty list for those who may not see it. */
export const retentionSettingsQuery = queryOptions({
  queryKey: [...root, 'site'],
  queryFn: ({ signal }) => api.list('retention-settings', { signal }),
})

/** After a change of the site's setting or a project's: every day that follows from it may be another. */
export const forgetRetention = (queryClient: QueryClient): Promise<void> => queryClient.invalidateQueries({ queryKey: root })
