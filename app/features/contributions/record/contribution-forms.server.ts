import { AppError } from '#app/lib/app-error.ts'

/** Room for a story of 20,000 characters in any script, and for extra questions. */
export const TEXT_FORM = { bytes: 300_000, fields: 300 }

/** A contribution's number from the address. @throws {AppError} `not-found` */
export function readNumber(part: string | undefined): number {
  if (!part || !/^[1-9]\d{0,8}$/.test(part)) throw new AppError('not-found')
  return Number(part)
}
