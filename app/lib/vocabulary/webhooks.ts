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
