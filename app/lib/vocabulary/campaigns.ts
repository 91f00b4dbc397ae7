/** `preparing`: its messages are being written to the outbox; `done`: none of them is pending. */
export const CAMPAIGN_STATUSES = ['draft', 'scheduled', 'preparing', 'sending', 'paused', 'done', 'cancelled'] as const
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]

/** Why a message reached nobody: it failed, it was not sent on purpose, or the recipient's mail server returned it. */
export const FAILURE_OUTCOMES = ['failed', 'skipped', 'returned'] as const
export type FailureOutcome = (typeof FAILURE_OUTCOMES)[number]
