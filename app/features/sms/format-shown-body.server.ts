import type { smsMessages } from '#app/server/db/schema/messages.ts'

const CODE_DIGITS = /\d{6}/
/** The sandbox integration is itself the phone: its texts can only be read here. */
const SANDBOX = 'sms-sandbox'

/** A text as administrators see it: a code is visible to its reader only, from the moment it is written. */
export const formatShownBody = ({
  purpose,
  body,
  integration,
}: Pick<typeof smsMessages.$inferSelect, 'purpose' | 'body' | 'integration'>): string =>
  purpose === 'code' && integration !== SANDBOX ? body.replace(CODE_DIGITS, '••••••') : body
