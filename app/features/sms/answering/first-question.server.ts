import { eq } from 'drizzle-orm'
import { questionText } from '#app/features/surveys/sms/asking.server.ts'
import { askedByText, byTextFaults } from '#app/features/surveys/sms/by-text.server.ts'
import { seeSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { assertOpen } from '#app/features/surveys/responses/submit-response.server.ts'
import { versionOf } from '#app/features/surveys/questionnaire/versions.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { newId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { surveys } from '#app/server/db/schema.ts'

/** What a survey asks first, in each of the site's languages: the end of a campaign's text. Undefined where it cannot be asked by text. */
export async function firstQuestion(ctx: Ctx, tx: Tx, surveyId: string): Promise<Record<Language, string> | undefined> {
  const [survey] = await tx.select({ version: surveys.publishedVersion }).from(surveys).where(eq(surveys.id, surveyId))
  if (!survey?.version) return undefined
  const definition = await versionOf(tx, ctx.site.id, surveyId, survey.version)
  const [first] = askedByText(definition, {}, surveyId)
  if (!first || byTextFaults(definition).length > 0) return undefined
  return Object.fromEntries(ctx.site.languages.map((language) => [language, questionText(ctx, language, first, definition, {})])) as Record<
    Language,
    string
  >
}

/** @throws {AppError} where the survey takes no answers by text at that time */
export async function assertAsked(ctx: Ctx, tx: Tx, surveyId: string, at: Date): Promise<void> {
  assertOpen(await seeSurvey(ctx, tx, eq(surveys.id, surveyId)), newId(), at)
  if (!(await firstQuestion(ctx, tx, surveyId))) throw new AppError('invalid', { faults: [{ code: 'not-by-text', pointer: '/survey' }] })
}
