import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responseDrafts, responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { hashReceiptCode } from './receipt-code.server.ts'
import { tidyAnswers } from '../questionnaire/answers.ts'
import { checkDraft } from './draft-bounds.ts'
import { countDraftGrowth } from './draft-limits.server.ts'
import { prefixPointer } from '../answering/form-faults.ts'
import { findRefusal, requireVisibleSurvey } from '../surveys.policy.server.ts'
import type { Answers } from '../surveys.schema.ts'
import { getSurveyState } from '../surveys.state.server.ts'
import { loadVersion } from '../questionnaire/versions.server.ts'

export type DraftRecord = Pick<
  typeof responseDrafts.$inferSelect,
  'id' | 'surveyId' | 'version' | 'language' | 'updatedAt' | 'replaces'
> & {
  answers: Answers
}

const draftColumns = {
  id: responseDrafts.id,
  surveyId: responseDrafts.surveyId,
  version: responseDrafts.version,
  language: responseDrafts.language,
  answers: sql<Answers>`${responseDrafts.answers}`,
  updatedAt: responseDrafts.updatedAt,
  replaces: responseDrafts.replaces,
}

/**
 * Saves a draft under the id of its future response, replacing the previous draft. A draft stays on its version, is never validated, and
 * keeps no account if the survey is anonymous.
 * @param input.sendKey the sender's secret: nobody can overwrite the draft without it
 * @returns whether the draft is new
 * @throws {AppError} `not-found`, `survey-closed`, `already-answered` if the response was already sent, `conflict` with another key;
 * `invalid` with a fault at `/answers/<question id>` if the version has no such question or the answer is longer than anyone types;
 * `too-many-requests`
 */
export async function keepDraft(
  ctx: Ctx,
  input: { id: string; survey: string; sendKey: string; answers: Answers; version?: number | undefined },
): Promise<{ created: boolean; row: DraftRecord }> {
  const resumeHash = hashSending(ctx, input)
  const now = ctx.now()
  await countDraftGrowth(ctx, { id: input.id, surveyId: input.survey, bytes: Buffer.byteLength(JSON.stringify(input.answers)) })
  return ctx.db.tx(async (tx) => {
    const placed = await requireVisibleSurvey(ctx, tx, eq(surveys.id, input.survey))
    const { survey } = placed
    const state = getSurveyState(now, placed)
    if (state !== 'open') throw new AppError(state === 'closed' ? 'survey-closed' : 'survey-not-open')
    if ((await findRefusal(ctx, tx, placed)) === 'guest') throw new AppError('forbidden')
    const [sent] = await tx
      .select({ id: responses.id })
      .from(responses)
      .where(and(eq(responses.siteId, ctx.site.id), or(eq(responses.id, input.id), eq(responses.editId, input.id))))
    if (sent) throw new AppError('already-answered')
    const published = survey.publishedVersion ?? 0
    const asked = input.version ?? (await findDraftVersion(ctx, tx, input.id))
    const version = asked && asked <= published ? asked : published
    const definition = await loadVersion(tx, ctx.site.id, survey.id, version)
    const faults = checkDraft(definition, input.answers)
    if (faults.length > 0) throw new AppError('invalid', { faults: faults.map((fault) => prefixPointer('/answers', fault)) })
    const kept = {
      version,
      language: ctx.language,
      answers: tidyAnswers(definition, input.answers),
      updatedAt: now,
    }
    const [row] = await tx
      .insert(responseDrafts)
      .values({
        ...kept,
        siteId: ctx.site.id,
        id: input.id,
        surveyId: survey.id,
        userId: ctx.viewer.kind === 'user' && !survey.anonymous ? ctx.viewer.id : null,
        resumeHash,
        startedAt: now,
      })
      .onConflictDoUpdate({
        target: [responseDrafts.siteId, responseDrafts.id],
        set: kept,
        setWhere: and(eq(responseDrafts.resumeHash, resumeHash), eq(responseDrafts.surveyId, survey.id)),
      })
      .returning({ ...draftColumns, startedAt: responseDrafts.startedAt })
    if (!row) throw new AppError('conflict')
    const { startedAt, ...draft } = row
    return { created: startedAt.getTime() === now.getTime(), row: draft }
  })
}

/** The version a draft was started on. */
async function findDraftVersion(ctx: Ctx, tx: Tx, id: string): Promise<number | undefined> {
  const [draft] = await tx
    .select({ version: responseDrafts.version })
    .from(responseDrafts)
    .where(and(eq(responseDrafts.siteId, ctx.site.id), eq(responseDrafts.id, id)))
  return draft?.version
}

/** Identifies a draft to the person who started it, and to nobody else. */
export const hashSending = (ctx: Ctx, { id, sendKey }: { id: string; sendKey: string }): Buffer =>
  hashReceiptCode(ctx.site.id, `${id}/${sendKey}`)

/** The draft of a sending, if the caller knows both its id and its key. */
export async function findDraft(ctx: Ctx, { id, sendKey }: { id: string; sendKey: string }): Promise<DraftRecord | undefined> {
  const resumeHash = hashSending(ctx, { id, sendKey })
  const [draft] = await ctx.db.read((tx) =>
    tx
      .select(draftColumns)
      .from(responseDrafts)
      .where(and(eq(responseDrafts.siteId, ctx.site.id), eq(responseDrafts.id, id), eq(responseDrafts.resumeHash, resumeHash))),
  )
  return draft
}

/** The viewer's own drafts among `ids`. */
export async function loadDrafts(ctx: Ctx, ids: readonly string[]): Promise<DraftRecord[]> {
  if (ctx.viewer.kind === 'visitor') return []
  const own = and(eq(responseDrafts.siteId, ctx.site.id), eq(responseDrafts.userId, ctx.viewer.id), inArray(responseDrafts.id, [...ids]))
  return ctx.db.read((tx) => tx.select(draftColumns).from(responseDrafts).where(own))
}

export async function removeDraft(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.tx((tx) => tx.delete(responseDrafts).where(and(eq(responseDrafts.siteId, ctx.site.id), eq(responseDrafts.id, id))))
}
