import * as v from 'valibot'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { commonProperties, linkSchema, pictureSchema } from '../question-parts.schema.ts'

/** Something to read, see or watch before the next question. It asks nothing. */
export const INFO_SCHEMA = v.strictObject({
  ...commonProperties,
  type: v.literal('info'),
  text: v.optional(createTranslatedSchema(5000)),
  picture: v.optional(pictureSchema),
  video: v.optional(v.strictObject({ url: linkSchema, label: createTranslatedSchema(200) })),
})
