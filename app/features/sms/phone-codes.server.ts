import { randomInt } from 'node:crypto'
import type { Ctx } from '#app/server/context.ts'
import { type Limit, limitByAddress } from '#app/server/limits/limits.ts'

const PHONE_CODE_MINUTES = 10
export const MAX_PHONE_CODE_TRIES = 5

/** Six digits that a phone's holder types. */
export const createPhoneCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

export const findPhoneCodeEnd = (now: Date): Date => new Date(now.getTime() + PHONE_CODE_MINUTES * 60_000)

/**
 * Limits for texts with a code. What is sent to a number counts together, whatever it is for.
 * @param person an account or a browser; undefined if nothing recognises them
 */
export const listPhoneCodeLimits = (ctx: Ctx, person: string | undefined, phone: string): Limit[] => [
  ...(person ? [{ name: 'phone-code/person', of: person, most: 5, minutes: 60 }] : []),
  { name: 'phone-code/number', of: phone, most: 5, minutes: 60 },
  ...limitByAddress(ctx, { name: 'phone-code', most: 20, minutes: 60 }),
]
