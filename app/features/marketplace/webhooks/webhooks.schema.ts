/** What a site's webhooks can tell, with the name of the setting that says whether it does. */
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

/** So long a failing delivery is tried, and so long an address may fail before it is asked no more. */
export const GIVES_UP_DAYS = 5
/** After a new secret was made, the former one signs as well for so long. */
export const FORMER_SECRET_HOURS = 24
