import * as v from 'valibot'

export const createTranslatedSchema = (max: number) =>
  v.strictObject({
    en: v.optional(v.pipe(v.string(), v.maxLength(max))),
    'fr-CA': v.optional(v.pipe(v.string(), v.maxLength(max))),
    cy: v.optional(v.pipe(v.string(), v.maxLength(max))),
  })
