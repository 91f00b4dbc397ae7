/** Events, and the setting that subscribes to each. */
export const WEBHOOK_EVENTS = {
  'response.received': 'responses',
  'survey.opened': 'surveyOpenings',
  'survey.closed': 'surveyClosings',
  'project.published': 'projects',
  'update.published': 'updates',
  'participant.registered': 'participants',
} as const
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as WebhookEvent[]

export const WEBHOOK_STATUSES = ['waiting', 'delivered', 'failed'] as const
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number]

/** How long a failing delivery is retried, and how long an address may fail before webhooks are disabled. */
export const GIVES_UP_DAYS = 5
/** How long the former secret still signs after a rotation. */
export const FORMER_SECRET_HOURS = 24
