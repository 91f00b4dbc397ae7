import type { Ctx } from '../context.ts'
import { type Limit, limitByAddress } from './limits.ts'

const TO_A_MAILBOX = 5
/** Unanswered mails from one address in an hour: more than an office or a school needs while its people confirm theirs. */
const FROM_AN_ADDRESS = 100

/**
 * Limits for mails that anyone can trigger to any address, by mailbox and by network address. Give the attempt back once a single-use link
 * in the mail is opened: the mail was wanted.
 */
export const limitMails = (ctx: Ctx, name: string, email: string): Limit[] => [
  limitByMailbox(name, email),
  ...limitByAddress(ctx, { name, most: FROM_AN_ADDRESS, minutes: 60 }),
]

/** `name+1@` and `name+2@` reach one mailbox, so they count together. */
export const limitByMailbox = (name: string, email: string): Limit => ({ name, of: toMailbox(email), most: TO_A_MAILBOX, minutes: 60 })

export const toMailbox = (email: string): string => email.toLowerCase().replace(/^([^+@]+)\+[^@]*@/, '$1@')
