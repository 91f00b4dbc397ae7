import * as v from 'valibot'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { MAX_TEXT_LENGTH } from '../../answer-limits.ts'
import { commonProperties, createCountSchema } from '../question-parts.schema.ts'

/** The answer identifies somebody: a name, a membership number. */
const personalSchema = v.optional(v.literal(true))

const createLengthProperties = (longest: number) => ({
  minLength: v.optional(createCountSchema(longest)),
  maxLength: v.optional(createCountSchema(longest)),
})

export const TEXT_SCHEMAS = [
  v.strictObject({
    ...commonProperties,
    type: v.literal('short_text'),
    ...createLengthProperties(MAX_TEXT_LENGTH.short_text),
    personal: personalSchema,
    /** Required format: `A` is a letter, `9` a digit, `*` either, anything else itself. `A9999` matches a permit number such as K2041. */
    pattern: v.optional(v.pipe(v.string(), v.maxLength(60))),
    /** Explains the pattern in words. */
    patternHelp: v.optional(createTranslatedSchema(200)),
  }),
  v.strictObject({
    ...commonProperties,
    type: v.literal('long_text'),
    ...createLengthProperties(MAX_TEXT_LENGTH.long_text),
    personal: personalSchema,
  }),
  v.strictObject({ ...commonProperties, type: v.literal('email') }),
  v.strictObject({ ...commonProperties, type: v.literal('phone') }),
] as const
