import type { TargetKind } from '#app/lib/vocabulary/teamwork.ts'

/**
 * What colleagues comment on, or have a task about. The id of a report is its project's, of the homepage the site's, and of a department's
 * page the department's.
 */
export interface Target {
  kind: TargetKind
  id: string
}

/** Where people work on it, in the administration. */
export function buildTargetPath({ kind, id }: Target, projectId: string | null): string {
  switch (kind) {
    case 'project':
      return `/admin/projects/${id}`
    case 'activity':
      return `/admin/projects/${projectId}/activities/${id}`
    case 'survey':
      return `/admin/surveys/${id}`
    case 'page':
      return `/admin/pages/${id}`
    case 'report':
      return `/admin/projects/${id}/heard/report`
    case 'contribution':
      return `/admin/contributions/${id}`
    case 'event':
      return `/admin/projects/${projectId}/events/${id}`
    case 'budget':
      return `/admin/projects/${projectId}/budgets/${id}`
    case 'homepage':
      return '/admin/homepage'
    case 'hub-page':
      return `/admin/homepage?hub=${id}`
  }
}

/** What follows the address of a page whose comments are to be open. */
export const COMMENTS_HASH = 'comments'
