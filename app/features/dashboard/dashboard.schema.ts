/** Figures of the dashboard, over projects whose responses the viewer may see. */
export interface Dashboard {
  openProjects: number
  /** Distinct accounts, plus responses given without an account. */
  participants: number
  responses: number
  /** Those given to publicly listed projects: the figure on the homepage. */
  publicResponses: number
  /** Responses of the last seven days and of the seven before, for the trend. */
  responsesThisWeek: number
  responsesLastWeek: number
  /** One entry for each of the last 30 days in the site's time zone, oldest first: `2026-11-21`. */
  daily: { day: string; responses: number }[]
  /** Projects with the most responses in the last 30 days. */
  busiest: { projectId: string; title: string; responses: number; closesAt: Date | null }[]
  /** Texts that the viewer moderates: those that wait, those of them that are late, and those with an open appeal. */
  moderation: { waiting: number; late: number; appeals: number }
  /** What needs attention: what is to be reviewed, and projects that close within a week. */
  awaitingReview: AwaitedReview[]
  closingSoon: { projectId: string; title: string; closesAt: Date }[]
}

/** Of what a draft waits for a review. */
export interface AwaitedReview {
  what: 'project' | 'report' | 'survey' | 'activity'
  /** The survey's or activity's, else the project's. */
  id: string
  projectId: string
  title: string
}
