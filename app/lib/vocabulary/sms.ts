export const SMS_DIRECTIONS = ['out', 'in'] as const
export type SmsDirection = (typeof SMS_DIRECTIONS)[number]

export const SMS_PURPOSES = ['test', 'code', 'campaign', 'reply', 'survey', 'reminder'] as const
export type SmsPurpose = (typeof SMS_PURPOSES)[number]

/**
 * Status of a text. Outgoing: `waiting`, `sending` while a service is being called, `accepted` by it, `delivered` to the phone; or `failed`
 * or `skipped`, both final. Incoming: `received`.
 */
export const SMS_STATUSES = ['waiting', 'sending', 'accepted', 'delivered', 'failed', 'skipped', 'received'] as const
export type SmsStatus = (typeof SMS_STATUSES)[number]

/** Why a text was not sent or not delivered. */
export const SMS_FAULTS = [
  'provider-refused',
  'provider-busy',
  'provider-down',
  'provider-not-understood',
  'provider-paused',
  'message-refused',
  'endpoint-refused',
  'message-undelivered',
  'message-unknown',
  'consent-withdrawn',
  'campaign-cancelled',
  'reminder-outdated',
] as const
export type SmsFault = (typeof SMS_FAULTS)[number]
