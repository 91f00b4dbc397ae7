import { createServerFn } from '@tanstack/react-start'
import { appendResponseHeader, setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { isAppError } from '#app/lib/app-error.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import type { Ctx } from '#app/server/context.ts'
import { readBrowserToken } from '#app/server/auth/browser-token.ts'
import { submitFromBrowser } from '../answering/submit-from-browser.server.ts'
import { listQuestions, readAnswers } from '../questionnaire/answers.ts'
import { buildFieldName } from '../questionnaire/field-names.ts'
import { sendingSchema } from '#app/features/participation/sending.schema.ts'
import { readReceiptCode } from '#app/features/participation/receipt-cookies.server.ts'
import { createSending } from '#app/features/participation/sending.server.ts'
import { findGivenAnswers } from '../responses/own-responses.server.ts'
import { getSurveyForAnswering, type SurveyAddress } from '../surveys.server.ts'
import type { Definition } from '../surveys.schema.ts'
import { findPollResults } from './poll.server.ts'
import type { AnsweredPoll, PollRefusal } from './poll.schema.ts'

const addressSchema = v.object({ project: slugPartSchema, survey: slugPartSchema })

/** What an answer in place is sent with, and why this browser may not send one. Asked for when somebody chooses an option. */
export const startPoll = createServerFn()
  .validator(createInputValidator(v.object({ ...addressSchema.entries, isRemembered: v.optional(v.boolean()) })))
  .handler(async ({ data: { isRemembered = false, ...data }, context: { ctx } }) => {
    setResponseHeader('cache-control', 'private, no-store')
    const { survey, version } = await getSurveyForAnswering(ctx, data, { browserToken: readBrowserToken(ctx) })
    const recognises = survey.access !== 'anyone'
    // Nobody is recognised here, so the device's word is taken.
    const remembered = isRemembered && !recognises ? ('answered' as const) : null
    const refusal: PollRefusal | null = survey.state === 'open' ? (survey.refusal ?? remembered) : 'closed'
    return {
      refusal,
      /** It accepts one response per browser. */
      recognisesBrowser: survey.access === 'anyone_once' && ctx.viewer.kind !== 'user',
      version,
      sending: createSending(ctx.now()),
      results: refusal === 'answered' || refusal === 'closed' ? await findPollResults(ctx, data) : null,
    }
  })

/**
 * What the reader sees in place of polls that they have answered: by account, by what recognises the browser, or by the receipt it holds.
 * @returns by the survey's slug
 */
export const readAnsweredPolls = createServerFn()
  .validator(createInputValidator(v.object({ project: slugPartSchema, surveys: v.pipe(v.array(slugPartSchema), v.maxLength(100)) })))
  .handler(async ({ data: { project, surveys }, context: { ctx } }): Promise<Record<string, AnsweredPoll>> => {
    const found = await Promise.all(surveys.map(async (survey) => [survey, await findAnsweredPoll(ctx, { project, survey })] as const))
    return Object.fromEntries(found.flatMap(([survey, answered]) => (answered ? [[survey, answered]] : [])))
  })

async function findAnsweredPoll(ctx: Ctx, address: SurveyAddress): Promise<AnsweredPoll | null> {
  const { survey } = await getSurveyForAnswering(ctx, address, { browserToken: readBrowserToken(ctx) })
  const isAnswered = survey.refusal === 'answered' || (await findGivenAnswers(ctx, survey, readReceiptCode())) !== null
  return isAnswered ? { results: await findPollResults(ctx, address) } : null
}

const answerSchema = v.object({
  ...addressSchema.entries,
  ...sendingSchema.entries,
  version: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)),
  choice: v.pipe(v.string(), v.maxLength(60)),
})

/** Stores an answer given in the page, once for each submission id. Refusals are returned as texts, not thrown: the page is fine. */
export const sendPollAnswer = createServerFn({ method: 'POST' })
  .validator(createInputValidator(answerSchema))
  .handler(async ({ data: { choice, project, survey, ...sent }, context: { ctx } }) => {
    setResponseHeader('cache-control', 'private, no-store')
    const address = { project, survey }
    const answers = (definition: Definition) => {
      const questions = listQuestions(definition)
      return readAnswers(questions, Object.fromEntries(questions.map(({ id }) => [buildFieldName(id), choice])))
    }
    try {
      const { receipt, cookies } = await submitFromBrowser(ctx, address, { ...sent, answers })
      for (const cookie of cookies) appendResponseHeader('set-cookie', cookie)
      return {
        refusal: null,
        receipt: receipt.code !== null,
        counted: receipt.response.counted,
        results: await findPollResults(ctx, address),
      }
    } catch (error) {
      const refusal = findRefusal(error)
      if (!refusal) throw error
      return { refusal, receipt: false, counted: true, results: await findPollResults(ctx, address) }
    }
  })

function findRefusal(error: unknown): PollRefusal | undefined {
  if (isAppError(error, 'already-answered')) return 'answered'
  if (isAppError(error, 'survey-closed') || isAppError(error, 'survey-not-open') || isAppError(error, 'quota-full')) return 'closed'
  if (isAppError(error, 'sign-in-to-answer')) return 'sign-in'
  if (isAppError(error, 'confirm-to-answer')) return 'confirm'
  return undefined
}
