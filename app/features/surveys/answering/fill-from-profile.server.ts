import { eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { type LinkedQuestion, loadLinkedQuestions } from '#app/features/profile-answers/linked-questions.server.ts'
import { storeAnswers } from '#app/features/profile-answers/store-answers.server.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { FormValues } from '#app/server/forms.ts'
import { readText } from '#app/server/forms.ts'
import { readPersonal } from '#app/server/shared-rendering.ts'
import { readAnswers, toFormValues } from '../questionnaire/answers.ts'
import { canBeKept, listChangedAnswers, listProfileLinks, toSurveyAnswer } from '../questionnaire/profile-links.ts'
import { loadVersion } from '../questionnaire/versions.server.ts'
import type { StoredResponse } from '../responses/submit-response.server.ts'
import type { Answers, Definition } from '../surveys.schema.ts'
import { requireVisibleSurvey } from '../surveys.policy.server.ts'
import { getSurveyForAnswering, type SurveyAddress } from '../surveys.server.ts'
import type { ProfileUse } from '../surveys.views.ts'

interface AskedSurvey {
  survey: { id: string; anonymous: boolean }
  definition: Definition
}

/**
 * What the viewer said about themselves, as far as a survey asks it again. Null if it asks nothing of the kind. An anonymous survey only says
 * what could be added: the answers are not on its page.
 */
export function readProfileUse(ctx: Ctx, { survey, definition }: AskedSurvey): Promise<ProfileUse | null> {
  if (listProfileLinks(definition).length === 0) return Promise.resolve(null)
  return readPersonal(ctx, ['profile', survey.id], (reader) =>
    reader.db.read(async (tx) => {
      const { said, keepable } = await loadSaid(reader, tx, { survey, definition })
      return survey.anonymous
        ? { filled: {}, offered: Object.keys(said), keepable: [] }
        : { filled: said, offered: [], keepable: keepable.map(({ question }) => question) }
    }),
  )
}

/**
 * A form of an anonymous survey with what the person said about themselves added where they have answered nothing yet. Nothing is stored.
 * @throws {AppError} `not-found`
 */
export async function addFromProfile(
  ctx: Ctx,
  address: SurveyAddress,
  values: FormValues,
  version: number | undefined,
): Promise<FormValues> {
  const { survey, definition } = await getSurveyForAnswering(ctx, address, { version })
  const shown = readText(values['shown']).split(' ')
  const links = listProfileLinks(definition).filter(({ id }) => shown.includes(id))
  const typed = readAnswers(links, values)
  const { said } = await ctx.db.read((tx) => loadSaid(ctx, tx, { survey, definition }))
  const open = links.filter(({ id }) => typed[id] === undefined)
  return { ...values, ...(survey.anonymous ? toFormValues(open, said) : {}) }
}

/**
 * Keeps answers that were just sent as what their sender says about themselves, if they differ. Never from an anonymous survey: the time of the
 * change would lead from the account to the answers.
 */
export async function keepInProfile(ctx: Ctx, { surveyId, version, answers }: StoredResponse): Promise<void> {
  const userId = findOwnId(ctx)
  if (userId === undefined) return
  await ctx.db.tx(async (tx) => {
    const { survey } = await requireVisibleSurvey(ctx, tx, eq(surveys.id, surveyId))
    if (survey.anonymous) return
    const definition = await loadVersion(tx, ctx.site.id, surveyId, version)
    const { said, keepable } = await loadSaid(ctx, tx, { survey, definition })
    const changed = listChangedAnswers(listProfileLinks(definition), answers, said).flatMap(({ id }) => {
      const question = keepable.find((one) => one.question === id)?.profile
      const answer = answers[id]
      return question && answer !== undefined ? [{ question, answer }] : []
    })
    const questions = changed.map(({ question }) => question)
    await storeAnswers(
      ctx,
      tx,
      userId,
      { questions, answers: Object.fromEntries(changed.map(({ question, answer }) => [question.key, answer])) },
      'person',
    )
    for (const { key } of questions)
      await recordAudit(ctx, tx, { action: 'profile-answers.update', subject: { type: 'users', id: userId }, detail: { question: key } })
  })
}

interface Said {
  /** Answers of the survey, by question. */
  said: Answers
  /** Questions of the survey whose answers can also be kept. */
  keepable: { question: string; profile: LinkedQuestion }[]
}

/** Answers to sensitive questions are used only in anonymous surveys. */
async function loadSaid(ctx: Ctx, tx: Tx, { survey, definition }: AskedSurvey): Promise<Said> {
  const userId = findOwnId(ctx)
  if (userId === undefined) return { said: {}, keepable: [] }
  const links = listProfileLinks(definition)
  const keys = links.map(({ profile }) => profile)
  const known = (await loadLinkedQuestions(ctx, tx, keys, userId)).filter(({ sensitive }) => survey.anonymous || !sensitive)
  const pairs = links.flatMap((question) => known.filter(({ key }) => key === question.profile).map((profile) => ({ question, profile })))
  const year = ctx.now().getUTCFullYear()
  const said = pairs.flatMap(({ question, profile: { type, answer } }) => {
    const own = answer === undefined ? undefined : toSurveyAnswer(question, type, answer, year)
    return own === undefined ? [] : [[question.id, own] as const]
  })
  return {
    said: Object.fromEntries(said),
    keepable: pairs
      .filter(({ question, profile: { type, offered } }) => canBeKept(question, type, offered))
      .map(({ question, profile }) => ({ question: question.id, profile })),
  }
}
