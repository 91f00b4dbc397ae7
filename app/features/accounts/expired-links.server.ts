import { setResponseStatus } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { isAppError } from '#app/lib/app-error.ts'

export const linkTokenSchema = v.object({ token: v.optional(v.string(), '') })

/** What an emailed link leads to; null with status 410 if the link has expired. */
export async function readUnlessExpired<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (!isAppError(error, 'link-expired')) throw error
    setResponseStatus(410)
    return null
  }
}
