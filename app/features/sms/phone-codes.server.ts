import { randomInt } from 'node:crypto'
import type { Ctx } from '#app/server/context.ts'
import { type Limit, limitByAddress } from '#app/server/limits/limits.ts'

const PHONE_CODE_MINUTES = 10
export const MAX_PHONE_CODE_TRIES = 5

/** Six digits that a phone's holder types. */
export const createPhoneCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

export const findPhoneCodeEnd = (now: Date): Date => new Date(now.getTime() + PHONE_CODE_MINUTES * 60_000)

/** Texts from one address in an hour whose code nobody has entered. */
const MAX_UNANSWERED_AT_ADDRESS = 60

/**
 * Limits for texts with a code. What is sent to a number counts together, whatever it is for.
 * @param person an account or a browser; undefined if nothing recognises them
 */
export const listPhoneCodeLimits = (ctx: Ctx, person: string | undefined, phone: string): Limit[] => [
  ...(person ? [{ name: 'phone-code/person', of: person, most: 5, minutes: 60 }] : []),
  { name: 'phone-code/number', of: phone, most: 5, minutes: 60 },
  ...limitUnansweredTexts(ctx),
]

/** To be taken back once the code of a text is entered. */
export const limitUnansweredTexts = (ctx: Ctx): Limit[] =>
  limitByAddress(ctx, { name: 'phone-code', most: MAX_UNANSWERED_AT_ADDRESS, minutes: 60 })
