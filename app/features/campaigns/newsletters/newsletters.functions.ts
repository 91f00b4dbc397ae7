import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { languageSchema } from '#app/lib/language-schema.ts'
import { translatedSchema } from '#app/lib/translated-schema.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { checked } from '#app/lib/validate.ts'
import { LONGEST_SUBJECT } from './newsletters.schema.ts'
import { previewLetter } from './newsletters.server.ts'

/** What is written and not saved yet, as its readers would get it. */
export const readLetterPreview = createServerFn({ method: 'POST' })
  .validator(
    checked(
      v.object({
        campaign: idSchema,
        subject: translatedSchema(LONGEST_SUBJECT),
        content: v.record(v.string(), v.unknown()),
        language: languageSchema,
      }),
    ),
  )
  .handler(({ data, context }) => previewLetter(context.ctx, data))
