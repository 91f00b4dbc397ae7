import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'
import { countTranslationGaps } from './site-settings.server.ts'

export const getTranslationGaps = createServerFn()
  .validator(noInput)
  .handler(({ context }) => countTranslationGaps(context.ctx))
