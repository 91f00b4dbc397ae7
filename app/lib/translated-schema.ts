import * as v from 'valibot'

/** A translated text of at most `max` characters in each language. */
export const createTranslatedSchema = (max: number) =>
  v.strictObject({
    en: v.optional(v.pipe(v.string(), v.maxLength(max))),
    'fr-CA': v.optional(v.pipe(v.string(), v.maxLength(max))),
    cy: v.optional(v.pipe(v.string(), v.maxLength(max))),
  })
