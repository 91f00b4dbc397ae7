import * as v from 'valibot'
import { translatedSchema } from '#app/lib/translated-schema.ts'
import { common, linkSchema, pictureSchema } from '../parts.schema.ts'

/** Something to read, see or watch before the next question. Nothing is asked. */
export const INFO_SCHEMA = v.strictObject({
  ...common,
  type: v.literal('info'),
  text: v.optional(translatedSchema(5000)),
  picture: v.optional(pictureSchema),
  video: v.optional(v.strictObject({ url: linkSchema, label: translatedSchema(200) })),
})
