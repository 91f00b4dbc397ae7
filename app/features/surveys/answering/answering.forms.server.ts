import { getCookie, setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Tx } from '#app/server/db/client.ts'
import { formHandler, seeOther, type FormValues, type Submission } from '#app/server/forms.ts'
import { byAddress, countAttempt, takeBackAttempt } from '#app/server/limits/limits.ts'
import { acceptInvitation } from '../responses/access/accept-invitation.server.ts'
import { ANSWER_FORM, filesTaken, isFileForm, takeFileForm, takeFormFiles } from '../responses/files/file-forms.server.ts'
import { startChange, submitChange } from '../responses/edit-response.server.ts'
import { fieldName, questionsOf, readAnswers } from '../questionnaire/answers.ts'
import {
  BROWSER_COOKIE,
  browserCookie,
  draftCookie,
  invitationCookie,
  invitationCookieName,
  newBrowserToken,
  noDraftCookie,
  noReceiptCookie,
  RECEIPT_COOKIE,
  receiptCookie,
} from './answer-cookies.server.ts'
import { countSaving } from '../responses/draft-limits.server.ts'
import { mailReceipt } from '../responses/receipt-mail.server.ts'
import { findContribution, type ReceiptKey, withdrawContribution } from '../responses/receipts.server.ts'
import { newSending, type Sending, sendingSchema, submitResponse } from '../responses/submit-response.server.ts'
import type { Definition } from '../surveys.schema.ts'
import { seeSurveyAt } from '../surveys.server.ts'
import { answersToSend, keepStep } from './keep-step.server.ts'
import { REVIEW } from '../questionnaire/steps.ts'

/** Takes the form of a survey's page, or of one of its steps, and leads on to the next or to the receipt. */
export const answerForm = formHandler({ by: 'anyone', bounds: ANSWER_FORM, takes: filesForPage }, async (submission) => {
  const { ctx, values, params } = submission
  if (values['form'] === 'invitation') return takeInvitation(submission)
  const taking = {
    find: (tx: Tx) => seeSurveyAt(ctx, tx, addressOf(params)),
    sending: readSending(values, ctx.now()),
    version: readNumber(values['version']),
    broughtTo,
  }
  if (isFileForm(submission)) return takeFileForm(submission, taking)
  const fileFaults = await takeFormFiles(submission, taking)
  const { step, go } = values
  const isStep = (typeof step === 'string' && step !== REVIEW) || go === 'later' || go === 'back'
  return isStep ? takeStep(submission, fileFaults) : send(submission, fileFaults)
})

function filesForPage({ ctx, params }: Pick<Submission, 'ctx' | 'params'>) {
  return filesTaken(ctx, (tx) => seeSurveyAt(ctx, tx, addressOf(params)), broughtTo)
}

async function takeStep({ ctx, values, params, path }: Submission, fileFaults: readonly Fault[]): Promise<Response> {
  const address = addressOf(params)
  await countSaving(ctx)
  const sending = readSending(values, ctx.now())
  const step = {
    ...sending,
    step: text(values['step']),
    go: values['go'] === 'back' ? ('back' as const) : values['go'] === 'later' ? ('later' as const) : ('next' as const),
    shown: text(values['shown']).split(' ').filter(Boolean),
    values,
    version: readNumber(values['version']),
  }
  const { surveyId, next, ...kept } = await namingFields(() => keepStep(ctx, address, step))
  const faults = [...fileFaults, ...kept.faults]
  // Refused or not, the browser has a draft from here on.
  if (faults.length > 0) {
    setResponseHeader('set-cookie', draftCookie(ctx, surveyId, sending))
    await namingFields(() => Promise.reject(new AppError('invalid', { faults })))
  }
  const query = next ? `?step=${encodeURIComponent(next)}` : ''
  return to(`${path(`/projects/${address.project}/surveys/${address.survey}`)}${query}`, [draftCookie(ctx, surveyId, sending)])
}

/** The code that somebody typed: from here on this browser may answer with it. */
async function takeInvitation({ ctx, values, params, path }: Submission): Promise<Response> {
  const address = addressOf(params)
  const { surveyId, secret } = await acceptInvitation(ctx, address, text(values['invitation']))
  return to(path(`/projects/${address.project}/surveys/${address.survey}`), [invitationCookie(ctx, surveyId, secret)])
}

async function send({ ctx, values, params, path }: Submission, fileFaults: readonly Fault[]): Promise<Response> {
  const address = addressOf(params)
  // Whoever was tricked into filling in what nobody sees has only to press again: the field comes back empty.
  if (text(values['website'])) throw new AppError('too-many-requests')
  const known = getCookie(BROWSER_COOKIE)
  const find = (tx: Tx) => seeSurveyAt(ctx, tx, address)
  // Only a survey that each browser may answer once has to know it again.
  const once = (await ctx.db.tx(find)).survey.access === 'anyone_once'
  const browserToken = once ? (known ?? newBrowserToken()) : undefined
  const sending = readSending(values, ctx.now())
  const stepped = values['step'] === REVIEW ? await answersToSend(ctx, sending, values) : undefined
  const receipt = await namingFields(async () => {
    if (fileFaults.length > 0) throw new AppError('invalid', { faults: fileFaults })
    const input = {
      ...sending,
      version: stepped?.version ?? readNumber(values['version']),
      answers: stepped?.answers ?? ((definition: Definition) => readAnswers(questionsOf(definition), values)),
      browserToken,
      invitation: (surveyId: string) => getCookie(invitationCookieName(surveyId)),
      proof: text(values['proof']),
    }
    return (await submitChange(ctx, find, input)) ?? submitResponse(ctx, find, input, `${address.project}/${address.survey}`)
  })
  const { surveyId } = receipt.response
  const invitation = getCookie(invitationCookieName(surveyId))
  const { code } = receipt
  return to(path(code ? `/projects/${address.project}/surveys/${address.survey}/receipt` : `/account/answers/${receipt.response.id}`), [
    ...(code ? [receiptCookie(ctx, code)] : []),
    noDraftCookie(ctx, surveyId),
    ...(invitation ? [invitationCookie(ctx, surveyId, invitation, true)] : []),
    ...(browserToken && !known ? [browserCookie(ctx, browserToken)] : []),
  ])
}

const addressOf = (params: Record<string, string>) => ({ project: params['slug'] ?? '', survey: params['survey'] ?? '' })
const text = (sent: string | string[] | undefined): string => (typeof sent === 'string' ? sent : '')

/** The forms of a page with a receipt: find one by its code, take the answers back, put it away. */
export const receiptForm = formHandler({ by: 'anyone' }, async ({ ctx, values, request, path }) => {
  const here = new URL(request.url).pathname
  switch (values['form']) {
    case 'done':
      return to(here, [noReceiptCookie(ctx)])
    case 'mail':
      await mailReceipt(ctx, getCookie(RECEIPT_COOKIE) ?? '', text(values['email']))
      return to(`${here}?sent=mail`, [])
    case 'change':
      return beginChange({ ctx, path }, getCookie(RECEIPT_COOKIE) ?? '')
    case 'withdraw':
      await withdrawContribution(ctx, getCookie(RECEIPT_COOKIE) ?? '', broughtTo)
      return to(here, [])
    default: {
      const limits = byAddress(ctx, { name: 'receipt', most: 30, minutes: 15 })
      await countAttempt(ctx, limits)
      const typed = values['code']
      const { code } = await findContribution(ctx, text(typed))
      await takeBackAttempt(ctx, limits)
      return to(path('/receipt'), [receiptCookie(ctx, code ?? '')])
    }
  }
})

/** The same forms on the page of an answer that the viewer's own account gave. */
export const ownAnswerForm = formHandler({ by: 'account' }, async ({ ctx, values, params, path }) => {
  const key = { responseId: params['id'] ?? '' }
  if (!isId(key.responseId)) throw new AppError('not-found')
  if (values['form'] === 'change') return beginChange({ ctx, path }, key)
  if (values['form'] !== 'withdraw') throw new AppError('not-found')
  await withdrawContribution(ctx, key, broughtTo)
  return to(`${path('/account/answers')}?done=withdrawn`, [])
})

async function beginChange({ ctx, path }: Pick<Submission, 'ctx' | 'path'>, key: ReceiptKey): Promise<Response> {
  const { address, surveyId, sending } = await startChange(ctx, key)
  return to(path(`/projects/${address.project}/surveys/${address.survey}`), [draftCookie(ctx, surveyId, sending)])
}

/** By which whoever took an answer back may answer again. */
const broughtTo = (surveyId: string) => ({
  browserToken: getCookie(BROWSER_COOKIE),
  invitation: getCookie(invitationCookieName(surveyId)),
})

function to(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ 'cache-control': 'private, no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return seeOther(location, headers)
}

/** What the form was given when it was opened; anew where somebody tampered with it. */
export function readSending(values: FormValues, now: Date): Sending {
  const sent = v.safeParse(sendingSchema, values)
  return sent.success ? sent.output : newSending(now)
}

export const readNumber = (sent: string | string[] | undefined): number | undefined =>
  typeof sent === 'string' && /^\d{1,9}$/.test(sent) ? Number(sent) : undefined

/** Faults of answers under the names of their form fields: `/answers/mode/other` is the field `q.mode.other`. */
export async function namingFields<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error)) throw error
    const faults = error.faults.map((fault) => {
      const [, question, part = ''] = /^\/answers\/([^/]+)(?:\/([^/]+))?$/.exec(fault.pointer ?? '') ?? []
      return question ? { ...fault, pointer: `/${fieldName(question, part)}` } : fault
    })
    throw new AppError(error.code, { faults, ...(error.meta ? { meta: error.meta } : {}) })
  }
}
