/** Figures of the dashboard, over the projects the viewer may see responses of. */
export interface Dashboard {
  openProjects: number
  /** Distinct participants with an account plus answers given without one. */
  participants: number
  responses: number
  /** Those of them that were given to projects which everyone finds: what the homepage counts. */
  publicResponses: number
  /** Responses of the last seven days, and of the seven before, for the trend. */
  responsesThisWeek: number
  responsesLastWeek: number
  /** One entry for each of the last 30 days of the site's calendar, oldest first: `2026-11-21`. */
  daily: { day: string; responses: number }[]
  /** The most answered projects of the last 30 days. */
  busiest: { projectId: string; title: string; responses: number; closesAt: Date | null }[]
  /** What waits for the viewer: projects to review, and projects that open or close within a week. */
  awaitingReview: { projectId: string; title: string }[]
  closingSoon: { projectId: string; title: string; closesAt: Date }[]
}
