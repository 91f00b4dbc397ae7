import { eq } from 'drizzle-orm'
import { formatQuestion } from '#app/features/surveys/sms/format-question.server.ts'
import { listQuestionsAskedByText, listByTextFaults } from '#app/features/surveys/sms/by-text.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { assertOpen } from '#app/features/surveys/responses/submit-response.server.ts'
import { loadVersion } from '#app/features/surveys/questionnaire/versions.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'

/** A survey's first question in each of the site's languages, to end a campaign's text. Undefined if it cannot be asked by text. */
export async function findFirstQuestion(ctx: Ctx, tx: Tx, surveyId: string): Promise<Record<Language, string> | undefined> {
  const [survey] = await tx.select({ version: surveys.publishedVersion }).from(surveys).where(eq(surveys.id, surveyId))
  if (!survey?.version) return undefined
  const definition = await loadVersion(tx, ctx.site.id, surveyId, survey.version)
  const [first] = listQuestionsAskedByText(definition, {}, surveyId)
  if (!first || listByTextFaults(definition).length > 0) return undefined
  return Object.fromEntries(
    ctx.site.languages.map((language) => [language, formatQuestion(ctx, language, first, definition, {})]),
  ) as Record<Language, string>
}

/** @throws {AppError} if the survey does not accept answers by text at that time */
export async function requireAnswerableByText(ctx: Ctx, tx: Tx, surveyId: string, at: Date): Promise<void> {
  assertOpen(await requireVisibleSurvey(ctx, tx, eq(surveys.id, surveyId)), createId(), at)
  if (!(await findFirstQuestion(ctx, tx, surveyId)))
    throw new AppError('invalid', { faults: [{ code: 'not-by-text', pointer: '/survey' }] })
}
