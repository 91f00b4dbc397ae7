import { AppError } from '#app/lib/app-error.ts'
import type { Tx } from '#app/server/db/client.ts'
import { formHandler, type Submission } from '#app/server/forms.ts'
import { ANSWER_FORM, filesTaken, isFileForm, takeFileForm, takeFormFiles } from '../responses/files/file-forms.server.ts'
import { questionsOf, readAnswers } from '../questionnaire/answers.ts'
import { namingFields, readNumber, readSending } from '../answering/answering.forms.server.ts'
import { submitResponse } from '../responses/submit-response.server.ts'
import { seeForFrame, sealReceipt } from './embedded-survey.server.ts'

/** Takes the form of a survey in another site's page, with or without scripts, and leads to its receipt in the same frame. */
export const embeddedForm = formHandler({ by: 'anyone', bounds: ANSWER_FORM, takes: filesForFrame }, async (submission) => {
  const { ctx, values, params, request } = submission
  // Whoever was tricked into filling in what nobody sees has only to press again: the field comes back empty.
  if (values['website']) throw new AppError('too-many-requests')
  const id = params['id'] ?? ''
  const { proof } = values
  const find = (tx: Tx) => seeForFrame(ctx, tx, id)
  const taking = { find, sending: readSending(values, ctx.now()), version: readNumber(values['version']), broughtTo: () => ({}) }
  if (isFileForm(submission)) return takeFileForm(submission, taking)
  const fileFaults = await takeFormFiles(submission, taking)
  const receipt = await namingFields(async () => {
    if (fileFaults.length > 0) throw new AppError('invalid', { faults: fileFaults })
    return submitResponse(ctx, find, {
      ...taking.sending,
      version: taking.version,
      answers: (definition) => readAnswers(questionsOf(definition), values),
      source: 'embed',
      proof: typeof proof === 'string' ? proof : '',
    })
  })
  const to = new URL(request.url)
  to.searchParams.set('done', sealReceipt(ctx, id, receipt.code))
  return `${to.pathname}${to.search}`
})

function filesForFrame({ ctx, params }: Pick<Submission, 'ctx' | 'params'>) {
  return filesTaken(
    ctx,
    (tx) => seeForFrame(ctx, tx, params['id'] ?? ''),
    () => ({}),
  )
}
