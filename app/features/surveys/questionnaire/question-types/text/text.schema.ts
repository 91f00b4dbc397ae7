import * as v from 'valibot'
import { translatedSchema } from '#app/lib/translated-schema.ts'
import { LONGEST_TEXT } from '../../answer-limits.ts'
import { common, count } from '../parts.schema.ts'

/** Its answer is who somebody is: a name, a number by which they are known. */
const personal = v.optional(v.literal(true))

const lengths = (longest: number) => ({ minLength: v.optional(count(longest)), maxLength: v.optional(count(longest)) })

export const TEXT_SCHEMAS = [
  v.strictObject({
    ...common,
    type: v.literal('short_text'),
    ...lengths(LONGEST_TEXT.short_text),
    personal,
    /** What it must look like: `A` a letter, `9` a digit, `*` either, anything else itself. `A9999` is a permit such as K2041. */
    pattern: v.optional(v.pipe(v.string(), v.maxLength(60))),
    /** Says in words what the pattern asks for. */
    patternHelp: v.optional(translatedSchema(200)),
  }),
  v.strictObject({ ...common, type: v.literal('long_text'), ...lengths(LONGEST_TEXT.long_text), personal }),
  v.strictObject({ ...common, type: v.literal('email') }),
  v.strictObject({ ...common, type: v.literal('phone') }),
] as const
