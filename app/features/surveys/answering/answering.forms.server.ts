import { getCookie, setResponseHeader } from '@tanstack/react-start/server'
import { findReceiptPage } from '#app/features/participation/find-by-code.server.ts'
import { buildInvitationCookie, buildInvitationCookieName } from '#app/features/invitations/invitation-cookies.server.ts'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import { readBrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { createFormHandler, type Submission, readText, redirectWithCookies } from '#app/server/forms.ts'
import { limitGuesses, limitGuessesByAddress } from '#app/server/limits/guesses.ts'
import { acceptInvitation } from '../responses/access/survey-invitations.server.ts'
import { ANSWER_FORM_BOUNDS, findFileBounds, isFileForm, takeFileForm, takeFormFiles } from '../responses/files/file-forms.server.ts'
import { discardChange, startChange } from '../responses/edit-response.server.ts'
import { listQuestions, readAnswers } from '../questionnaire/answers.ts'
import { buildFieldName } from '../questionnaire/field-names.ts'
import { findPollQuestion } from '../poll/find-poll-question.ts'
import { takeMapStep } from '../questionnaire/question-types/places/place-map.server.ts'
import { buildExpiredReceiptCookie, buildReceiptCookie } from '#app/features/participation/receipt-cookies.server.ts'
import { readReceiptCode } from '#app/features/participation/receipt-cookies.server.ts'
import { buildDraftCookie, buildExpiredDraftCookie } from './answer-cookies.server.ts'
import { countDraftSave } from '../responses/draft-limits.server.ts'
import { mailReceipt } from '../responses/receipt-mail.server.ts'
import { requireContribution, type ReceiptKey, withdrawContribution } from '../responses/receipts.server.ts'
import { createSending, readSending, refuseHiddenField } from '#app/features/participation/sending.server.ts'
import type { Definition } from '../surveys.schema.ts'
import { getSurveyForAnswering, requireSurveyAt } from '../surveys.server.ts'
import { addFromProfile, keepInProfile } from './fill-from-profile.server.ts'
import { loadAnswersToSend, keepStep } from './keep-step.server.ts'
import { submitFromBrowser } from './submit-from-browser.server.ts'
import { FROM_PROFILE, KEEP_FIELD } from './profile-fields.ts'
import { REVIEW_STEP } from '../questionnaire/step-ids.ts'

/** Handles the form of a survey's page, or of one of its steps, and redirects to the next step or the receipt. */
export const answerForm = createFormHandler({ by: 'anyone', bounds: ANSWER_FORM_BOUNDS, takes: findPageFileBounds }, async (submission) => {
  const { ctx, values, params } = submission
  if (values['form'] === 'invitation') return takeInvitation(submission)
  if (values['poll']) return takePollAnswer(submission)
  const taking = {
    find: (tx: Tx) => requireSurveyAt(ctx, tx, toSurveyAddress(params)),
    sending: readSending(values, ctx.now()),
    version: readWholeNumber(values['version']),
    broughtTo: readGuestCredentials(ctx),
  }
  if (isFileForm(submission)) return takeFileForm(submission, taking)
  const fileFaults = await takeFormFiles(submission, taking)
  const withMap = fileFaults.length === 0 ? await takeMapStep(ctx, values) : undefined
  if (withMap) return { shownOnce: withMap }
  const { step, go } = values
  if (go === 'keep') return keepSaved(submission)
  if (go === FROM_PROFILE) return { shownOnce: await addFromProfile(ctx, toSurveyAddress(params), values, taking.version) }
  const isStep = (typeof step === 'string' && step !== REVIEW_STEP) || go === 'later' || go === 'back'
  return isStep ? takeStep(submission, fileFaults) : sendResponse(submission, fileFaults)
})

function findPageFileBounds({ ctx, params }: Pick<Submission, 'ctx' | 'params'>) {
  return findFileBounds(ctx, (tx) => requireSurveyAt(ctx, tx, toSurveyAddress(params)), readGuestCredentials(ctx))
}

async function takeStep({ ctx, values, params, path }: Submission, fileFaults: readonly Fault[]): Promise<Response> {
  const address = toSurveyAddress(params)
  await countDraftSave(ctx)
  const sending = readSending(values, ctx.now())
  const step = {
    ...sending,
    step: readText(values['step']),
    go: values['go'] === 'back' ? ('back' as const) : values['go'] === 'later' ? ('later' as const) : ('next' as const),
    shown: readText(values['shown']).split(' ').filter(Boolean),
    values,
    version: readWholeNumber(values['version']),
  }
  const { surveyId, next, ...kept } = await withFieldPointers(() => keepStep(ctx, address, step))
  const faults = [...fileFaults, ...kept.faults]
  // Refused or not, the browser now has a draft.
  if (faults.length > 0) {
    setResponseHeader('set-cookie', buildDraftCookie(ctx, surveyId, sending))
    await withFieldPointers(() => Promise.reject(new AppError('invalid', { faults })))
  }
  const query = next ? `?step=${encodeURIComponent(next)}` : ''
  return redirectWithCookies(`${path(`/projects/${address.project}/surveys/${address.survey}`)}${query}`, [
    buildDraftCookie(ctx, surveyId, sending),
  ])
}

/** Accepts an invitation code: from here on this browser may answer with it. */
async function takeInvitation({ ctx, values, params, path }: Submission): Promise<Response> {
  const address = toSurveyAddress(params)
  const { subjectId, secret } = await acceptInvitation(ctx, address, readText(values['invitation']))
  return redirectWithCookies(path(`/projects/${address.project}/surveys/${address.survey}`), [
    buildInvitationCookie(ctx, subjectId, secret),
  ])
}

/**
 * The form of a poll, which stands on a page that is the same for everybody: it has no id yet, so it is only taken where the sender is
 * recognised. If it is refused, its values are those of the survey's own form, which sends them again.
 */
async function takePollAnswer(submission: Submission): Promise<Response> {
  const { ctx, values, params, path } = submission
  const { survey, version, definition } = await getSurveyForAnswering(ctx, toSurveyAddress(params), { browserToken: readBrowserToken(ctx) })
  const question = findPollQuestion(definition)
  const choice = readText(values['answer'])
  if (!question || survey.access === 'anyone' || !choice) {
    const { project, survey: slug } = toSurveyAddress(params)
    const query = new URLSearchParams({ step: readText(values['step']), ...(choice && { answer: choice }) })
    return redirectWithCookies(`${path(`/projects/${project}/surveys/${slug}`)}?${query}`)
  }
  delete values['poll']
  Object.assign(values, createSending(ctx.now()), {
    version: String(version),
    shown: question.id,
    [buildFieldName(question.id)]: choice,
  })
  const { step: _, ...answer } = values
  return sendResponse({ ...submission, values: answer }, [])
}

async function sendResponse({ ctx, values, params, path }: Submission, fileFaults: readonly Fault[]): Promise<Response> {
  const address = toSurveyAddress(params)
  refuseHiddenField(values)
  const sending = readSending(values, ctx.now())
  const stepped = values['step'] === REVIEW_STEP ? await loadAnswersToSend(ctx, sending, values) : undefined
  const { receipt, cookies } = await withFieldPointers(() => {
    if (fileFaults.length > 0) throw new AppError('invalid', { faults: fileFaults })
    return submitFromBrowser(ctx, address, {
      ...sending,
      version: stepped?.version ?? readWholeNumber(values['version']),
      answers: stepped?.answers ?? ((definition: Definition) => readAnswers(listQuestions(definition), values)),
      over: readText(values['over']),
    })
  })
  if (values[KEEP_FIELD] === 'yes') await keepInProfile(ctx, receipt.response)
  const { code } = receipt
  return redirectWithCookies(
    path(code ? `/projects/${address.project}/surveys/${address.survey}/receipt` : `/account/answers/${receipt.response.id}`),
    cookies,
  )
}

/** Another device changed the answers meanwhile, and they are to stay so. */
async function keepSaved({ ctx, values, params, path }: Submission): Promise<Response> {
  const { project, survey } = toSurveyAddress(params)
  const { survey: seen } = await getSurveyForAnswering(ctx, { project, survey })
  const kept = await discardChange(ctx, readSending(values, ctx.now()))
  if (!kept) throw new AppError('not-found')
  const { code, responseId } = kept
  return redirectWithCookies(path(code ? `/projects/${project}/surveys/${survey}/receipt` : `/account/answers/${responseId}`), [
    ...(code ? [buildReceiptCookie(ctx, code)] : []),
    buildExpiredDraftCookie(ctx, seen.id),
  ])
}

const toSurveyAddress = (params: Record<string, string>) => ({ project: params['slug'] ?? '', survey: params['survey'] ?? '' })

/** The forms on a page with a receipt: look one up by code, withdraw the answers, put the receipt away. */
export const receiptForm = createFormHandler({ by: 'anyone' }, async ({ ctx, values, request, path }) => {
  const here = new URL(request.url).pathname
  switch (values['form']) {
    case 'done':
      return redirectWithCookies(here, [buildExpiredReceiptCookie(ctx)])
    case 'mail':
      await mailReceipt(ctx, readReceiptCode() ?? '', readText(values['email']))
      return redirectWithCookies(`${here}?sent=mail`, [])
    case 'change':
      return beginChange({ ctx, path }, readReceiptCode() ?? '')
    case 'withdraw':
      await withdrawContribution(ctx, readReceiptCode() ?? '', readGuestCredentials(ctx))
      return redirectWithCookies(here, [])
    default: {
      const { page, code } = await limitGuesses(ctx, limitGuessesByAddress(ctx, 'receipt'), () =>
        findReceipt(ctx, readText(values['code'])),
      )
      return redirectWithCookies(path(page), [buildReceiptCookie(ctx, code)])
    }
  }
})

/** People have one kind of code for their answers to surveys, for their ideas, places, questions and stories, and for their ballots. */
async function findReceipt(ctx: Ctx, typed: string): Promise<{ page: string; code: string }> {
  try {
    const { code } = await requireContribution(ctx, typed)
    return { page: '/receipt', code: code ?? '' }
  } catch (error) {
    const found = isAppError(error, 'not-found') ? await findReceiptPage(ctx, typed) : undefined
    if (!found) throw error
    return found
  }
}

/** The same forms on the page of an answer given with the viewer's account. */
export const ownAnswerForm = createFormHandler({ by: 'account' }, async ({ ctx, values, params, path }) => {
  const key = { responseId: params['id'] ?? '' }
  if (!isId(key.responseId)) throw new AppError('not-found')
  if (values['form'] === 'change') return beginChange({ ctx, path }, key)
  if (values['form'] !== 'withdraw') throw new AppError('not-found')
  await withdrawContribution(ctx, key, readGuestCredentials(ctx))
  return redirectWithCookies(`${path('/account/answers')}?done=withdrawn`, [])
})

async function beginChange({ ctx, path }: Pick<Submission, 'ctx' | 'path'>, key: ReceiptKey): Promise<Response> {
  const { address, surveyId, sending } = await startChange(ctx, key)
  return redirectWithCookies(path(`/projects/${address.project}/surveys/${address.survey}`), [buildDraftCookie(ctx, surveyId, sending)])
}

/** Lets somebody who withdrew an answer give another. */
const readGuestCredentials = (ctx: Ctx) => (ownerId: string) => ({
  browserToken: readBrowserToken(ctx),
  invitation: getCookie(buildInvitationCookieName(ownerId)),
})

export const readWholeNumber = (sent: string | string[] | undefined): number | undefined =>
  typeof sent === 'string' && /^\d{1,9}$/.test(sent) ? Number(sent) : undefined

/** Maps pointers to form fields: `/answers/mode/other` becomes the field `q.mode.other`. */
export async function withFieldPointers<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error)) throw error
    const faults = error.faults.map((fault) => {
      const [, question, part = ''] = /^\/answers\/([^/]+)(?:\/([^/]+))?$/.exec(fault.pointer ?? '') ?? []
      return question ? { ...fault, pointer: `/${buildFieldName(question, part)}` } : fault
    })
    throw new AppError(error.code, { faults, ...(error.meta ? { meta: error.meta } : {}) })
  }
}
