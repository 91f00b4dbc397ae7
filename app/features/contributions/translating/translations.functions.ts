import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { isAppError } from '#app/lib/app-error.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { TRANSLATABLE_TYPES } from '#app/lib/vocabulary/contributions.ts'
import { translateText } from './translate-text.server.ts'

/** Has a text translated into the page's language. @returns the code of a refusal, or null: the page is fine */
export const askTranslation = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.object({ type: v.picklist(TRANSLATABLE_TYPES), id: idSchema })))
  .handler(async ({ data, context: { ctx } }) => {
    setResponseHeader('cache-control', 'private, no-store')
    try {
      await translateText(ctx, { ...data, language: ctx.contentLanguage })
      return null
    } catch (error) {
      if (isAppError(error)) return error.code
      throw error
    }
  })
