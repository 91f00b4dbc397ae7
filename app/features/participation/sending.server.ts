import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import * as v from 'valibot'
import { AppError } from '#app/lib/app-error.ts'
import { type FormValues, readText } from '#app/server/forms.ts'
import { type Sending, sendingSchema } from './sending.schema.ts'

/** The id and key a form gets when it is opened, to be sent with it. */
export const createSending = (now: Date): Sending => ({ id: v7({ msecs: now.getTime() }), sendKey: randomBytes(16).toString('base64url') })

/** The sending from when the form was opened; a new one if it was tampered with. */
export function readSending(values: FormValues, now: Date): Sending {
  const sent = v.safeParse(sendingSchema, values)
  return sent.success ? sent.output : createSending(now)
}

/** A person who was tricked into filling in the hidden field only has to send again: it comes back empty. */
export function refuseHiddenField(values: FormValues): void {
  if (readText(values['website'])) throw new AppError('too-many-requests')
}
