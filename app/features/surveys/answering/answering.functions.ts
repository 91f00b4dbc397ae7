import { createServerFn } from '@tanstack/react-start'
import { getCookie, setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { buildInvitationCookie, buildInvitationCookieName } from '#app/features/invitations/invitation-cookies.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { idSchema, isId } from '#app/lib/uuid.ts'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { readBrowserToken } from '#app/server/auth/browser-token.ts'
import { readWithin } from '#app/server/memory/content-reads.ts'
import { acceptInvitation } from '../responses/access/survey-invitations.server.ts'
import { listLastReceipts } from '#app/features/participation/last-receipts.server.ts'
import { readReceiptCode, readReceiptCodes } from '#app/features/participation/receipt-cookies.server.ts'
import { buildDraftCookie, buildDraftCookieName, parseSendingCode } from './answer-cookies.server.ts'
import { limitDraftSaves } from '../responses/draft-limits.server.ts'
import { keepDraft } from '../responses/drafts.server.ts'
import { findGivenAnswers, listOwnAnswers } from '../responses/own-responses.server.ts'
import { requireContribution } from '../responses/receipts.server.ts'
import { readWholeNumber } from './answering.forms.server.ts'
import { readProfileUse } from './fill-from-profile.server.ts'
import { nameStep } from './step-title.server.ts'
import { sendingSchema } from '#app/features/participation/sending.schema.ts'
import { openSending } from '#app/features/participation/sending.server.ts'
import { getPublicResults } from '../results/results.server.ts'
import { findPollQuestion } from '../poll/find-poll-question.ts'
import { readAnswers } from '../questionnaire/answers.ts'
import { buildFieldName } from '../questionnaire/field-names.ts'
import { hasRandomOrder } from '../questionnaire/walk-survey.ts'
import { packLongLists } from '../questionnaire/packed-lists.ts'
import { drawPlaceMaps } from '../questionnaire/question-types/places/place-map.server.ts'
import { type Answers, answersSchema, type Definition } from '../surveys.schema.ts'
import { getSurveyForAnswering } from '../surveys.server.ts'

const linkPartSchema = v.optional(v.pipe(v.string(), v.maxLength(200, 'not-found')))
const addressSchema = v.object({ project: slugPartSchema, survey: slugPartSchema, preview: linkPartSchema })

/**
 * A survey as its page needs it, with the id and key of this sending. Opening a draft link or a personal link stores it in this browser.
 */
export const readSurvey = createServerFn()
  .validator(
    createInputValidator(
      v.object({
        ...addressSchema.entries,
        resume: linkPartSchema,
        invitation: linkPartSchema,
        answer: linkPartSchema,
        step: linkPartSchema,
      }),
    ),
  )
  .handler(async ({ data: { resume, invitation, answer, step, ...address }, context: { ctx, form } }) => {
    forbidCaching()
    const now = ctx.now()
    const linked = parseSendingCode(resume)
    const accepted = invitation ? await findOrUndefined(() => acceptInvitation(ctx, address, invitation)) : undefined
    const brought = {
      browserToken: readBrowserToken(ctx),
      invitation: (ownerId: string) => accepted?.secret ?? getCookie(buildInvitationCookieName(ownerId)),
      version: readWholeNumber(form?.values['version']),
      sending: (surveyId: string) => linked ?? parseSendingCode(getCookie(buildDraftCookieName(surveyId))),
    }
    const { sending, ...page } = await readWithin(
      ({ survey }) => ({ project: survey.project.id, survey: survey.id }),
      () => getSurveyForAnswering(ctx, address, brought),
    )
    if (linked && sending) setResponseHeader('set-cookie', buildDraftCookie(ctx, page.survey.id, sending))
    else if (accepted) setResponseHeader('set-cookie', buildInvitationCookie(ctx, accepted.subjectId, accepted.secret))
    // A survey that takes no answers shows no questions.
    const isShown = page.survey.state === 'open' || page.survey.state === 'preview'
    const begun = sending ?? openSending(ctx, isShown && hasRandomOrder(page.definition))
    const profile = await readProfileUse(ctx, page)
    const chosen = readPollAnswer(page.definition, answer)
    const draft = page.draft ?? (chosen && { ...profile?.filled, ...chosen })
    return {
      ...page,
      definition: packLongLists(page.definition),
      draft,
      profile,
      maps: await drawPlaceMaps(ctx, page.definition, form?.values),
      sending: begun,
      title: [nameStep(ctx, { ...page, draft: draft ?? profile?.filled ?? null }, step, begun.id), page.survey.title.text]
        .filter(Boolean)
        .join(' · '),
      given: await findGivenAnswers(ctx, page.survey, readReceiptCode()),
      now,
      address: buildSiteUrl(ctx, `/projects/${page.survey.project.slug}/surveys/${page.survey.slug}`),
    }
  })

/** The option chosen in the survey's poll on another page, as answers of a draft; null if there is none, or the survey asks more. */
function readPollAnswer(definition: Definition, chosen: string | undefined): Answers | null {
  const question = chosen === undefined ? undefined : findPollQuestion(definition)
  return question && chosen !== undefined ? readAnswers([question], { [buildFieldName(question.id)]: chosen }) : null
}

const draftSchema = v.object({
  ...sendingSchema.entries,
  survey: idSchema,
  version: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)),
  answers: answersSchema,
})

/** Saves the answers so far on the server, for this browser and for anyone with the link. */
export const keepAnswers = createServerFn({ method: 'POST' })
  .validator(createInputValidator(draftSchema))
  .handler(async ({ data, context: { ctx } }) => {
    forbidCaching()
    await keepDraft(ctx, data, { limits: limitDraftSaves(ctx) })
    setResponseHeader('set-cookie', buildDraftCookie(ctx, data.survey, data))
  })

/** The published results of a survey. */
export const readPublicResults = createServerFn()
  .validator(createInputValidator(addressSchema))
  .handler(({ data, context: { ctx } }) => getPublicResults(ctx, data))

/** The contribution whose receipt the browser holds last, null if none, and the other receipts that it holds. */
export const readReceipt = createServerFn()
  .validator(noInput)
  .handler(async ({ context: { ctx } }) => {
    forbidCaching()
    const codes = readReceiptCodes()
    const [code] = codes
    const contribution = (code && (await findOrUndefined(() => requireContribution(ctx, code)))) || null
    const others = contribution ? codes.slice(1) : codes
    return { contribution, lastReceipts: await listLastReceipts(ctx, others), address: buildSiteUrl(ctx, '/receipt') }
  })

/** One page of what the viewer's account has answered. */
export const readOwnAnswers = createServerFn()
  .validator(createInputValidator(v.object({ page: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)), 1) })))
  .handler(({ data, context: { ctx } }) => listOwnAnswers(ctx, data.page))

/** One of them, as its receipt shows it; null if it is not theirs or was withdrawn. */
export const readOwnAnswer = createServerFn()
  .validator(createInputValidator(v.object({ id: v.string() })))
  .handler(async ({ data, context: { ctx } }) => {
    forbidCaching()
    const contribution = isId(data.id) ? await findOrUndefined(() => requireContribution(ctx, { responseId: data.id })) : undefined
    return contribution ?? null
  })

/** For links and cookies that may have expired: undefined instead of an AppError. */
async function findOrUndefined<T>(find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find()
  } catch (error) {
    if (isAppError(error)) return undefined
    throw error
  }
}

/** Each survey page is made for one person: it carries a sending's id and what that browser may do. */
const forbidCaching = () => setResponseHeader('cache-control', 'private, no-store')
