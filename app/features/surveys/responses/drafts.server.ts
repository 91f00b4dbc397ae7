import { and, eq, inArray, sql } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responseDrafts } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { countAttempt, createAttempt, type Limit } from '#app/server/limits/limits.ts'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { tidyAnswers } from '../questionnaire/answers.ts'
import { checkDraft } from './draft-bounds.ts'
import { limitDraftGrowth } from './draft-limits.server.ts'
import { storeDraft } from './store-drafts.server.ts'
import { prefixPointer } from '../answering/form-faults.ts'
import { findForVisitors, type PlacedSurvey, requireVisibleSurvey } from '../surveys.policy.server.ts'
import type { Answers } from '../surveys.schema.ts'
import { getSurveyState } from '../surveys.state.server.ts'
import { findCachedVersion, loadVersion } from '../questionnaire/versions.server.ts'

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

interface DraftInput {
  id: string
  survey: string
  sendKey: string
  answers: Answers
  version?: number | undefined
}

interface KeepOptions {
  /** Rate limits on the sender, besides the one on size. Refused drafts count too. */
  limits?: readonly Limit[]
  /** Finds the survey as `reader` sees it. */
  find?: (tx: Tx, reader: Ctx) => Promise<PlacedSurvey>
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
  input: DraftInput,
  { limits = [], find = (tx, reader) => requireVisibleSurvey(reader, tx, eq(surveys.id, input.survey)) }: KeepOptions = {},
): Promise<{ created: boolean; row: DraftRecord }> {
  const row = await prepareDraft(ctx, input, find).catch(async (error: unknown) => {
    await countAttempt(ctx, limits)
    throw error
  })
  const bytes = Buffer.byteLength(JSON.stringify(input.answers))
  const { created, replaces } = await storeDraft(ctx.runtime.database, ctx.site.id, {
    row,
    bytes,
    limitBy: (bytesBefore) => createAttempt(ctx, [...limits, ...limitDraftGrowth(ctx, row.surveyId, bytes, bytesBefore)]),
  })
  return { created, row: { ...row, replaces } }
}

async function prepareDraft(ctx: Ctx, input: DraftInput, find: NonNullable<KeepOptions['find']>) {
  const now = ctx.now()
  const known = ctx.viewer.kind === 'visitor' ? await findForVisitors(ctx, `draft ${input.survey}`, find) : undefined
  const placed = known ?? (await ctx.db.read((tx) => find(tx, ctx)))
  const { survey } = placed
  const state = getSurveyState(now, placed)
  if (state !== 'open') throw new AppError(state === 'closed' ? 'survey-closed' : 'survey-not-open')
  if (!checkPermission(ctx.viewer, 'surveys.answer').ok) throw new AppError('forbidden')
  const version = await chooseVersion(ctx, survey, input)
  const definition =
    findCachedVersion(ctx.site.id, survey.id, version) ?? (await ctx.db.read((tx) => loadVersion(tx, ctx.site.id, survey.id, version)))
  const faults = checkDraft(definition, input.answers)
  if (faults.length > 0) throw new AppError('invalid', { faults: faults.map((fault) => prefixPointer('/answers', fault)) })
  return {
    id: input.id,
    surveyId: survey.id,
    version,
    userId: ctx.viewer.kind === 'user' && !survey.anonymous ? ctx.viewer.id : null,
    language: ctx.contentLanguage,
    answers: tidyAnswers(definition, input.answers),
    resumeHash: hashSending(ctx, input),
    updatedAt: now,
  }
}

/** The version that its sender names, else that of the draft it replaces, else the newest. */
async function chooseVersion(ctx: Ctx, { publishedVersion }: PlacedSurvey['survey'], { id, version }: DraftInput): Promise<number> {
  const published = publishedVersion ?? 0
  const asked = version ?? (published > 1 ? await findDraftVersion(ctx, id) : undefined)
  return asked && asked <= published ? asked : published
}

async function findDraftVersion(ctx: Ctx, id: string): Promise<number | undefined> {
  const [draft] = await ctx.db.read((tx) =>
    tx
      .select({ version: responseDrafts.version })
      .from(responseDrafts)
      .where(and(eq(responseDrafts.siteId, ctx.site.id), eq(responseDrafts.id, id))),
  )
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
