/** `preparing`: its messages are being written to the outbox; `done`: none of them is pending. */
export const CAMPAIGN_STATUSES = ['draft', 'scheduled', 'preparing', 'sending', 'paused', 'done', 'cancelled'] as const
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]
