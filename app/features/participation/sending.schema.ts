import * as v from 'valibot'
import { idSchema } from '#app/lib/uuid.ts'

export const sendKeySchema = v.pipe(v.string(), v.minLength(16), v.maxLength(100), v.regex(/^[\w-]+$/))

/** Identifies one sending, however often it arrives. */
export const sendingSchema = v.object({
  /** Becomes the id of what is sent: a UUID version 7 made by the sender, whose timestamp says when the form was opened. */
  id: idSchema,
  /** Known only to the sender: without it, the receipt is not shown again. */
  sendKey: sendKeySchema,
})

export type Sending = v.InferOutput<typeof sendingSchema>
