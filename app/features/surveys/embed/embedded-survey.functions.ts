import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { createInputValidator } from '#app/lib/validate.ts'
import { readWholeNumber } from '../answering/answering.forms.server.ts'
import { packLongLists } from '../questionnaire/packed-lists.ts'
import { getEmbeddedSurvey } from './embedded-survey.server.ts'

export const readEmbeddedSurvey = createServerFn()
  .validator(
    createInputValidator(
      v.object({ id: v.pipe(v.string(), v.maxLength(60, 'not-found')), done: v.optional(v.pipe(v.string(), v.maxLength(400))) }),
    ),
  )
  .handler(async ({ data, context }) => {
    setResponseHeader('cache-control', 'private, no-store')
    const page = await getEmbeddedSurvey(context.ctx, data.id, data.done, readWholeNumber(context.form?.values['version']))
    return { ...page, definition: packLongLists(page.definition) }
  })
