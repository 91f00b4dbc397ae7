import { and, eq, inArray, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responseDrafts } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { createAttempt } from '#app/server/limits/limits.ts'
import { hashReceiptCode } from './receipt-code.server.ts'
import { tidyAnswers } from '../questionnaire/answers.ts'
import { checkDraft } from './draft-bounds.ts'
import { limitDraftGrowth } from './draft-limits.server.ts'
import { storeDraft } from './store-drafts.server.ts'
import { prefixPointer } from '../answering/form-faults.ts'
import { findForVisitors, findRefusal, requireVisibleSurvey } from '../surveys.policy.server.ts'
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
  const now = ctx.now()
  const find = (tx: Tx, reader: Ctx) => requireVisibleSurvey(reader, tx, eq(surveys.id, input.survey))
  const known = ctx.viewer.kind === 'visitor' ? await findForVisitors(ctx, `draft ${input.survey}`, find) : undefined
  const { survey, before, definition, version } = await ctx.db.read(async (tx) => {
    const placed = known ?? (await find(tx, ctx))
    const state = getSurveyState(now, placed)
    if (state !== 'open') throw new AppError(state === 'closed' ? 'survey-closed' : 'survey-not-open')
    if ((await findRefusal(ctx, tx, placed)) === 'guest') throw new AppError('forbidden')
    const before = await findEarlierDraft(ctx, tx, input.id)
    const published = placed.survey.publishedVersion ?? 0
    const asked = input.version ?? before?.version
    const version = asked && asked <= published ? asked : published
    return { survey: placed.survey, before, version, definition: await loadVersion(tx, ctx.site.id, placed.survey.id, version) }
  })
  const faults = checkDraft(definition, input.answers)
  if (faults.length > 0) throw new AppError('invalid', { faults: faults.map((fault) => prefixPointer('/answers', fault)) })
  const row = {
    id: input.id,
    surveyId: survey.id,
    version,
    language: ctx.language,
    answers: tidyAnswers(definition, input.answers),
    updatedAt: now,
  }
  const userId = ctx.viewer.kind === 'user' && !survey.anonymous ? ctx.viewer.id : null
  const bytes = Buffer.byteLength(JSON.stringify(input.answers))
  const { created } = await storeDraft(ctx.runtime.database, ctx.site.id, {
    row: { ...row, userId, resumeHash: hashSending(ctx, input) },
    growth: createAttempt(ctx, limitDraftGrowth(ctx, survey.id, bytes, before?.bytes)),
  })
  return { created, row: { ...row, replaces: before?.replaces ?? null } }
}

/** The draft stored under this id. `bytes` is the size of its answers. */
async function findEarlierDraft(ctx: Ctx, tx: Tx, id: string) {
  const [draft] = await tx
    .select({
      version: responseDrafts.version,
      replaces: responseDrafts.replaces,
      bytes: sql<number>`octet_length(${responseDrafts.answers}::text)`.mapWith(Number),
    })
    .from(responseDrafts)
    .where(and(eq(responseDrafts.siteId, ctx.site.id), eq(responseDrafts.id, id)))
  return draft
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
