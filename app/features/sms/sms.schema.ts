export const SMS_DIRECTIONS = ['out', 'in'] as const
export type SmsDirection = (typeof SMS_DIRECTIONS)[number]
export const SMS_PURPOSES = ['test', 'code', 'campaign', 'reply', 'survey'] as const
export type SmsPurpose = (typeof SMS_PURPOSES)[number]

/**
 * Where a text stands. Out: `waiting` for its turn, `sending` while a service is asked, `accepted` by it, `delivered` to the phone, or
 * `failed` or `skipped`, each for good. In: `received`.
 */
export const SMS_STATUSES = ['waiting', 'sending', 'accepted', 'delivered', 'failed', 'skipped', 'received'] as const
export type SmsStatus = (typeof SMS_STATUSES)[number]

/** Why a text was not sent or did not arrive. */
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
] as const
export type SmsFault = (typeof SMS_FAULTS)[number]

export const MAX_SMS_LENGTH = 1600
