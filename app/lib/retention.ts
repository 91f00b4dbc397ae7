import { DRAFT_ITEM } from './answer-items.ts'

/** For how many days personal data is stored after its use has ended. The sweeps delete by it, and the record of personal fields says it. */
export const RETENTION = {
  /** Links, requests to sign in, and tests of a provider, once expired. */
  expired: 30,
  /** Emails, once sent or given up. */
  mails: 90,
  /** Answers that were not sent, after the last change. */
  drafts: DRAFT_ITEM.seconds / 86_400,
  texts: 2 * 365,
  /** A consent, or its withdrawal, after its last entry, once the account has gone. */
  consents: 3 * 365,
} as const
