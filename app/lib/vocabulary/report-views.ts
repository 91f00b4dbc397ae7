/** Who finds a saved report in their list: the person who made it, the administrators of a department, or all of the site. */
export const REPORT_AUDIENCES = ['self', 'hub', 'site'] as const
export type ReportAudience = (typeof REPORT_AUDIENCES)[number]

/** How often a report is mailed: on Mondays, or on the first of the month. */
export const REPORT_SCHEDULES = ['none', 'weekly', 'monthly'] as const
export type ReportSchedule = (typeof REPORT_SCHEDULES)[number]
