import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { MAX_SUBJECT_LENGTH } from './newsletters.schema.ts'
import { previewNewsletter } from './newsletters.server.ts'

/** Unsaved content, as its readers would get it. */
export const readLetterPreview = createServerFn({ method: 'POST' })
  .validator(
    createInputValidator(
      v.object({
        campaign: idSchema,
        subject: createTranslatedSchema(MAX_SUBJECT_LENGTH),
        content: v.record(v.string(), v.unknown()),
        language: contentLanguageSchema,
      }),
    ),
  )
  .handler(({ data, context }) => previewNewsletter(context.ctx, data))
