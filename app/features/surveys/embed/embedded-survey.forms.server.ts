import { AppError } from '#app/lib/app-error.ts'
import { formHandler } from '#app/server/forms.ts'
import { questionsOf, readAnswers } from '../surveys.answers.ts'
import { namingFields, readNumber, readSending } from '../surveys.forms.server.ts'
import { submitResponse } from '../surveys.responses.server.ts'
import { seeForFrame, sealReceipt } from './embedded-survey.server.ts'

/** Takes the form of a survey in another site's page, with or without scripts, and leads to its receipt in the same frame. */
export const embeddedForm = formHandler(async ({ ctx, values, params, request }) => {
  // Whoever was tricked into filling in what nobody sees has only to press again: the field comes back empty.
  if (values['website']) throw new AppError('too-many-requests')
  const id = params['id'] ?? ''
  const { proof } = values
  const receipt = await namingFields(() =>
    submitResponse(ctx, (tx) => seeForFrame(ctx, tx, id), {
      ...readSending(values, ctx.now()),
      version: readNumber(values['version']),
      answers: (definition) => readAnswers(questionsOf(definition), values),
      source: 'embed',
      proof: typeof proof === 'string' ? proof : '',
    }),
  )
  const to = new URL(request.url)
  to.searchParams.set('done', sealReceipt(ctx, id, receipt.code))
  return `${to.pathname}${to.search}`
})
