export const NOTIFICATION_KINDS = [
  'review',
  'appeal',
  'published',
  'export',
  'export-failed',
  'dataset',
  'integration',
  'site-admin-added',
  'site-admin-removed',
  'text-returned',
  'letter-returned',
  'text-over-limit',
  'text-stuck',
  'letter-stuck',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** How many are listed at once, newest first. */
export const MAX_NOTIFICATIONS = 50
