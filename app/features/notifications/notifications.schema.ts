/** Tasks and events for administrators. */
export const TASK_KINDS = [
  'review',
  'appeal',
  'case',
  'mention',
  'task',
  'task-due',
  'published',
  'review-returned',
  'report-review',
  'report-published',
  'report-returned',
  'survey-review',
  'survey-published',
  'survey-returned',
  'activity-review',
  'activity-published',
  'activity-returned',
  'export',
  'export-failed',
  'dataset',
  'integration',
  'site-admin-added',
  'site-admin-removed',
  'support-granted',
  'text-returned',
  'letter-returned',
  'text-over-limit',
  'text-stuck',
  'letter-stuck',
] as const
export type TaskKind = (typeof TASK_KINDS)[number]

/** News about the viewer's own contributions and reports. */
export const OWN_KINDS = [
  'own-published',
  'own-held',
  'own-declined',
  'own-removed',
  'own-masked',
  'own-unmasked',
  'own-merged',
  'own-answered',
  'own-appeal',
  'own-report',
  'own-feasible',
  'own-not-feasible',
  'own-withdrawn',
  'own-decided',
] as const
export type OwnKind = (typeof OWN_KINDS)[number]

export const NOTIFICATION_KINDS = [...TASK_KINDS, ...OWN_KINDS] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

export const isOwnKind = (kind: NotificationKind): kind is OwnKind => kind.startsWith('own-')

/** A notification about the viewer's own contribution or report, for their account page. */
export interface OwnNotification {
  id: string
  kind: OwnKind
  title: string
  /** Address of the page that says more. */
  path: string
  at: string
  read: boolean
}

/** How many are listed at once, newest first. */
export const MAX_NOTIFICATIONS = 50
