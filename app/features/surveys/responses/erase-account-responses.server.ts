import { and, asc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responseDrafts, responseFiles, responses, surveyParticipations } from '#app/server/db/schema/responses.ts'
import { textConversations } from '#app/server/db/schema/messages.ts'
import { openAnswers, surveyExports } from '#app/server/db/schema/results.ts'
import { invitations, surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import { listQuestions } from '../questionnaire/answers.ts'
import { findPersonalKind } from '../questionnaire/personal-questions.ts'
import { readDefinition } from '../questionnaire/versions.server.ts'
import type { Answers } from '../surveys.schema.ts'
import { countResponses } from './response-counts.server.ts'

type ResponseRow = Omit<typeof responses.$inferSelect, 'answers'> & { answers: Answers }

/**
 * Makes an account's responses anonymous. Deletes answers to questions that identify the person, and ends exports that contain them. The other
 * answers stay, without an author. `sweepFiles` deletes the files later.
 */
export async function eraseAccountResponses(ctx: Ctx, tx: Tx, siteId: string, userId: string): Promise<void> {
  const drafts = tx
    .select({ id: responseDrafts.id })
    .from(responseDrafts)
    .where(and(eq(responseDrafts.siteId, siteId), eq(responseDrafts.userId, userId)))
  await releaseFiles(tx, siteId, inArray(responseFiles.heldBy, drafts))
  const own = (await tx
    .select()
    .from(responses)
    .where(and(eq(responses.siteId, siteId), eq(responses.userId, userId)))) as ResponseRow[]
  for (const [surveyId, rows] of Map.groupBy(own, (row) => row.surveyId)) {
    const personal = await listPersonalQuestions(tx, siteId, surveyId)
    await expirePersonalExports(ctx, tx, siteId, surveyId)
    for (const row of rows) await separateResponse(ctx, tx, row, personal)
  }
}

const SEPARATED_AT_ONCE = 200

/**
 * Makes some responses of a project anonymous, as those of an account that is erased. Call it until it returns 0, then
 * `deleteAnsweringTraces`.
 * @returns how many were changed
 */
export async function separateSomeResponses(ctx: Ctx, tx: Tx, projectId: string): Promise<number> {
  const siteId = ctx.site.id
  let changed = 0
  for (const { id: surveyId } of await selectSurveys(tx, siteId, projectId)) {
    const personal = await listPersonalQuestions(tx, siteId, surveyId)
    const rows = (await tx
      .select()
      .from(responses)
      .where(
        and(
          eq(responses.siteId, siteId),
          eq(responses.surveyId, surveyId),
          or(isNotNull(responses.userId), sql`${responses.answers} ?| ${sql.param([...personal])}::text[]`),
        ),
      )
      .orderBy(asc(responses.id))
      .limit(SEPARATED_AT_ONCE - changed)) as ResponseRow[]
    for (const row of rows) await separateResponse(ctx, tx, row, personal)
    changed += rows.length
    if (changed === SEPARATED_AT_ONCE) break
  }
  return changed
}

/**
 * Deletes what else leads from a project's surveys to people: drafts, conversations by text, the marks of who has answered and who was
 * invited, and exports with personal data. Results stay as they are.
 */
export async function deleteAnsweringTraces(ctx: Ctx, tx: Tx, projectId: string): Promise<void> {
  const siteId = ctx.site.id
  const ids = (await selectSurveys(tx, siteId, projectId)).map(({ id }) => id)
  if (ids.length === 0) return
  const drafts = and(eq(responseDrafts.siteId, siteId), inArray(responseDrafts.surveyId, ids))
  await releaseFiles(tx, siteId, inArray(responseFiles.heldBy, tx.select({ id: responseDrafts.id }).from(responseDrafts).where(drafts)))
  await tx.delete(responseDrafts).where(drafts)
  await tx.delete(textConversations).where(and(eq(textConversations.siteId, siteId), inArray(textConversations.surveyId, ids)))
  await tx.delete(surveyParticipations).where(and(eq(surveyParticipations.siteId, siteId), inArray(surveyParticipations.surveyId, ids)))
  await tx
    .update(responses)
    .set({ editId: null, editReceipt: null })
    .where(and(eq(responses.siteId, siteId), inArray(responses.surveyId, ids), isNotNull(responses.editReceipt)))
  await tx
    .update(invitations)
    .set({ recipientHash: null })
    .where(and(eq(invitations.siteId, siteId), inArray(invitations.surveyId, ids)))
  for (const id of ids) await expirePersonalExports(ctx, tx, siteId, id)
}

const selectSurveys = (tx: Tx, siteId: string, projectId: string) =>
  tx
    .select({ id: surveys.id })
    .from(surveys)
    .where(and(eq(surveys.siteId, siteId), eq(surveys.projectId, projectId)))
    .orderBy(asc(surveys.id))

/** Questions that asked for something personal in any version of the survey. */
async function listPersonalQuestions(tx: Tx, siteId: string, surveyId: string): Promise<ReadonlySet<string>> {
  const versions = await tx
    .select({ definition: surveyVersions.definition })
    .from(surveyVersions)
    .where(and(eq(surveyVersions.siteId, siteId), eq(surveyVersions.surveyId, surveyId)))
  const questions = versions.flatMap(({ definition }) => listQuestions(readDefinition(definition)))
  return new Set(questions.filter((question) => findPersonalKind(question)).map(({ id }) => id))
}

async function separateResponse(ctx: Ctx, tx: Tx, row: ResponseRow, personal: ReadonlySet<string>): Promise<void> {
  const { siteId, surveyId, id } = row
  const isOwn = and(eq(responses.siteId, siteId), eq(responses.id, id))
  const gone = Object.keys(row.answers).filter((question) => personal.has(question))
  if (gone.length === 0) {
    await tx.update(responses).set({ userId: null }).where(isOwn)
    return
  }
  const answers: Answers = Object.fromEntries(Object.entries(row.answers).filter(([question]) => !personal.has(question)))
  await tx
    .select({ id: surveys.id })
    .from(surveys)
    .where(and(eq(surveys.siteId, siteId), eq(surveys.id, surveyId)))
    .for('update')
  await countResponses(tx, siteId, surveyId, [row], -1)
  await countResponses(tx, siteId, surveyId, [{ ...row, answers }], 1)
  // Marked as changed, so that published figures are counted again.
  await tx.update(responses).set({ userId: null, answers, editedAt: ctx.now(), editId: null, editReceipt: null }).where(isOwn)
  await tx
    .delete(openAnswers)
    .where(and(eq(openAnswers.siteId, siteId), eq(openAnswers.responseId, id), inArray(openAnswers.question, gone)))
  await releaseFiles(tx, siteId, and(eq(responseFiles.heldBy, id), inArray(responseFiles.question, gone)))
}

/** Lets the next sweep delete files that nothing references any more. */
const releaseFiles = (tx: Tx, siteId: string, which: Parameters<typeof and>[0]) =>
  tx
    .update(responseFiles)
    .set({ touchedAt: new Date(0) })
    .where(and(eq(responseFiles.siteId, siteId), which))

/** Files with personal data that were made, or are being made, from this survey's responses. */
const expirePersonalExports = (ctx: Ctx, tx: Tx, siteId: string, surveyId: string) =>
  tx
    .update(surveyExports)
    .set({ expiresAt: ctx.now() })
    .where(and(eq(surveyExports.siteId, siteId), eq(surveyExports.surveyId, surveyId), eq(surveyExports.personal, true)))
