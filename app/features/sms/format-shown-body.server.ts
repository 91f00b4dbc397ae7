import type { smsMessages } from '#app/server/db/schema.ts'

const CODE_DIGITS = /\d{6}/
/** The integration that is a phone itself: what it was sent can only be read here. */
const SANDBOX = 'sms-sandbox'

/** A text as those who run the site see it: a code is for its reader only, from the moment it is written. */
export const formatShownBody = ({
  purpose,
  body,
  integration,
}: Pick<typeof smsMessages.$inferSelect, 'purpose' | 'body' | 'integration'>): string =>
  purpose === 'code' && integration !== SANDBOX ? body.replace(CODE_DIGITS, '••••••') : body
