import * as v from 'valibot'
import { idSchema } from '#app/lib/uuid.ts'
import { sendKeySchema } from '../surveys.schema.ts'

/** Identifies one sending, however often it arrives. */
export const sendingSchema = v.object({
  /** Becomes the response's id: a UUID version 7 made by the sender, whose timestamp says when the form was opened. */
  id: idSchema,
  /** Known only to the sender: without it, the receipt is not shown again. */
  sendKey: sendKeySchema,
})

export type Sending = v.InferOutput<typeof sendingSchema>
