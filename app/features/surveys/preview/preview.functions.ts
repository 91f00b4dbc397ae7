import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { createInputValidator } from '#app/lib/validate.ts'
import { getSurveyPreview } from './preview.server.ts'

/** The stored draft of a survey, as the preview's initial state. Previews must not be indexed or cached. */
export const readSurveyPreview = createServerFn()
  .validator(createInputValidator(v.object({ survey: v.pipe(v.string(), v.maxLength(60, 'not-found')) })))
  .handler(async ({ data, context: { ctx } }) => {
    setResponseHeader('x-robots-tag', 'noindex, nofollow')
    setResponseHeader('cache-control', 'private, no-store')
    return { ...(await getSurveyPreview(ctx, data.survey)), now: ctx.now() }
  })
