import { AppError } from '#app/lib/app-error.ts'
import type { Tx } from '#app/server/db/client.ts'
import { createFormHandler, type Submission } from '#app/server/forms.ts'
import { readSending } from '#app/features/participation/sending.server.ts'
import { ANSWER_FORM_BOUNDS, findFileBounds, isFileForm, takeFileForm, takeFormFiles } from '../responses/files/file-forms.server.ts'
import { listQuestions, readAnswers } from '../questionnaire/answers.ts'
import { withFieldPointers, readWholeNumber } from '../answering/answering.forms.server.ts'
import { submitResponse } from '../responses/submit-response.server.ts'
import { requireEmbeddableSurvey, sealReceipt } from './embedded-survey.server.ts'

/** Handles the form of a framed survey, with or without scripts, and redirects to its receipt in the same frame. */
export const embeddedForm = createFormHandler(
  { by: 'anyone', bounds: ANSWER_FORM_BOUNDS, takes: findFrameFileBounds },
  async (submission) => {
    const { ctx, values, params, request } = submission
    // A person who was tricked into filling in the hidden field only has to send again: the field comes back empty.
    if (values['website']) throw new AppError('too-many-requests')
    const id = params['id'] ?? ''
    const find = (tx: Tx) => requireEmbeddableSurvey(ctx, tx, id)
    const taking = { find, sending: readSending(values, ctx.now()), version: readWholeNumber(values['version']), broughtTo: () => ({}) }
    if (isFileForm(submission)) return takeFileForm(submission, taking)
    const fileFaults = await takeFormFiles(submission, taking)
    const receipt = await withFieldPointers(async () => {
      if (fileFaults.length > 0) throw new AppError('invalid', { faults: fileFaults })
      return submitResponse(ctx, find, {
        ...taking.sending,
        version: taking.version,
        answers: (definition) => readAnswers(listQuestions(definition), values),
        source: 'embed',
      })
    })
    const to = new URL(request.url)
    to.searchParams.set('done', sealReceipt(ctx, id, receipt.code))
    return `${to.pathname}${to.search}`
  },
)

function findFrameFileBounds({ ctx, params }: Pick<Submission, 'ctx' | 'params'>) {
  return findFileBounds(
    ctx,
    (tx) => requireEmbeddableSurvey(ctx, tx, params['id'] ?? ''),
    () => ({}),
  )
}
