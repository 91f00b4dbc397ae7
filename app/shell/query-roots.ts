/** How keys of queries about activities and contributions begin, for what changes them from elsewhere. */
export const CONTRIBUTIONS_ROOT = ['contributions'] as const

/** The same for reports of projects. */
export const REPORTS_ROOT = ['heard-reports'] as const
