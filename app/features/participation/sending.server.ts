import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import * as v from 'valibot'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { type FormValues, readText } from '#app/server/forms.ts'
import { type Sending, sendingSchema } from './sending.schema.ts'

/** The id and key a form gets when it is opened, to be sent with it. */
export const createSending = (now: Date): Sending => ({ id: v7({ msecs: now.getTime() }), sendKey: randomBytes(16).toString('base64url') })

/**
 * The sending of a form that a page opens. On a page for many, placeholders stand for it, and each reader gets one of their own.
 * @param isOrderSeed the page shows things in an order that depends on the id, so it is made for one reader
 */
export function openSending(ctx: Ctx, isOrderSeed = false): Sending {
  const { sharedRendering } = ctx
  if (isOrderSeed) sharedRendering?.markPersonal()
  if (!sharedRendering || isOrderSeed) return createSending(ctx.now())
  const { sendingId, sendKey } = sharedRendering.placeholders
  return { id: sendingId, sendKey }
}

/** The sending from when the form was opened; a new one if it was tampered with. */
export function readSending(values: FormValues, now: Date): Sending {
  const sent = v.safeParse(sendingSchema, values)
  return sent.success ? sent.output : createSending(now)
}

/** A person who was tricked into filling in the hidden field only has to send again: it comes back empty. */
export function refuseHiddenField(values: FormValues): void {
  if (readText(values['website'])) throw new AppError('too-many-requests')
}
