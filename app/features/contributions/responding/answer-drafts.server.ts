import { and, asc, count, desc, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { activities, contributions, officialResponseDrafts } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { createLocaliser } from '../record/answers.server.ts'
import { type PlacedContribution, requireContributionFor } from '../record/loading.server.ts'
import type { answerAgreementShape, answerDraftShape } from './answer-drafts.api.schema.ts'
import { mailAgreementRequest } from './agreement-mails.server.ts'
import { type AnswerInput, endDraft, prepareAnswer, requireAnswerable, storeAnswers } from './official-responses.server.ts'

type DraftRow = typeof officialResponseDrafts.$inferSelect

interface DraftRecord {
  id: string
  draft: DraftRow
  projectId: string
  writer: string | null
  asker: string | null
  returner: string | null
  others: { id: string; number: number; title: string; activity: string; language: (typeof contributions.$inferSelect)['language'] }[]
}

const [writers, askers, returners] = [alias(users, 'writers'), alias(users, 'askers'), alias(users, 'returners')]

/** Only for those who may answer the contribution. */
const isVisible = (ctx: Ctx, more: SQL | undefined): SQL | undefined =>
  and(
    eq(officialResponseDrafts.siteId, ctx.site.id),
    scopeWhere(ctx.viewer, 'contributions.answer', { hub: projects.hubId, project: projects.id }),
    more,
  )

const selectDrafts = (tx: Tx) =>
  tx
    .select({
      draft: officialResponseDrafts,
      projectId: projects.id,
      writer: writers.login,
      asker: askers.login,
      returner: returners.login,
    })
    .from(officialResponseDrafts)
    .innerJoin(
      contributions,
      and(eq(contributions.siteId, officialResponseDrafts.siteId), eq(contributions.id, officialResponseDrafts.contributionId)),
    )
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .leftJoin(writers, and(eq(writers.siteId, officialResponseDrafts.siteId), eq(writers.id, officialResponseDrafts.writtenBy)))
    .leftJoin(askers, and(eq(askers.siteId, officialResponseDrafts.siteId), eq(askers.id, officialResponseDrafts.askedBy)))
    .leftJoin(returners, and(eq(returners.siteId, officialResponseDrafts.siteId), eq(returners.id, officialResponseDrafts.returnedBy)))

async function toRecords(ctx: Ctx, tx: Tx, rows: Awaited<ReturnType<typeof selectDrafts>>): Promise<DraftRecord[]> {
  const localise = createLocaliser(ctx)
  const ids = [...new Set(rows.flatMap(({ draft }) => draft.alsoTo))]
  const named =
    ids.length === 0
      ? []
      : await tx
          .select({
            id: contributions.id,
            number: contributions.number,
            title: contributions.title,
            language: contributions.language,
            activity: activities.title,
            projectId: activities.projectId,
          })
          .from(contributions)
          .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
          .where(and(eq(contributions.siteId, ctx.site.id), inArray(contributions.id, ids)))
          .orderBy(asc(contributions.number))
  return rows.map((row) => ({
    ...row,
    id: row.draft.id,
    others: named
      .filter(({ id, projectId }) => projectId === row.projectId && row.draft.alsoTo.includes(id))
      .map(({ id, number, title, language, activity }) => ({ id, number, title, language, activity: localise(activity).text })),
  }))
}

export const loadAnswerDrafts = (ctx: Ctx, ids: readonly string[]): Promise<DraftRecord[]> =>
  ctx.db.read(async (tx) => toRecords(ctx, tx, await selectDrafts(tx).where(isVisible(ctx, inArray(officialResponseDrafts.id, [...ids])))))

export function listAnswerDrafts(ctx: Ctx, { filter, sort, page }: ListQuery<typeof answerDraftShape>): Promise<ListResult<DraftRecord>> {
  return ctx.db.read(async (tx) => {
    const where = isVisible(
      ctx,
      and(
        filter.contribution ? eq(officialResponseDrafts.contributionId, filter.contribution) : undefined,
        filter.asked === undefined ? undefined : (filter.asked ? isNotNull : isNull)(officialResponseDrafts.askedBy),
      ),
    )
    const order = sort[0]?.descending === false ? asc : desc
    const rows = await selectDrafts(tx)
      .where(where)
      .orderBy(order(officialResponseDrafts.writtenAt), asc(officialResponseDrafts.id))
      .limit(page.limit)
      .offset(page.offset)
    const [counted] = await tx
      .select({ total: count() })
      .from(officialResponseDrafts)
      .innerJoin(
        contributions,
        and(eq(contributions.siteId, officialResponseDrafts.siteId), eq(contributions.id, officialResponseDrafts.contributionId)),
      )
      .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
      .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
      .where(where)
    return { rows: await toRecords(ctx, tx, rows), total: counted?.total ?? 0 }
  })
}

/**
 * Begins the draft of an answer.
 * @throws {AppError} `not-found`, `forbidden`; `conflict` if the contribution cannot be answered, or a colleague has begun a draft
 */
export function createAnswerDraft(ctx: Ctx, { contribution, ...input }: CreateInput<typeof answerDraftShape>): Promise<string> {
  return ctx.db.tx(async (tx) => {
    const placed = await requireContributionFor(ctx, tx, 'contributions.answer', contribution)
    requireAnswerable(placed, input.visibility ?? 'public')
    const [made] = await tx
      .insert(officialResponseDrafts)
      .values({
        siteId: ctx.site.id,
        id: createId(),
        contributionId: contribution,
        statusId: input.status ?? null,
        text: input.textTranslations ?? {},
        team: input.teamTranslations ?? {},
        visibility: input.visibility ?? 'public',
        alsoTo: input.alsoTo ?? [],
        waived: input.waived ?? [],
        writtenBy: findOwnId(ctx) ?? null,
        writtenAt: ctx.now(),
      })
      .onConflictDoNothing()
      .returning({ id: officialResponseDrafts.id })
    if (!made) throw new AppError('conflict', { detail: { key: 'draft-exists' } })
    return made.id
  })
}

/**
 * Changes a draft, asks a colleague to agree to it, or returns it with a reason. A change of the answer ends a request to agree.
 * @throws {AppError} `not-found`; `forbidden`, also for returning one's own request; `stale`; `conflict` for returning a draft without a request;
 * to ask, what `createOfficialResponse` throws
 */
export async function updateAnswerDraft(
  ctx: Ctx,
  { id }: DraftRecord,
  input: UpdateInput<typeof answerDraftShape>,
  lockVersion: number,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const { row, placed } = await lockDraft(ctx, tx, id)
    if (row.lockVersion !== lockVersion) throw new AppError('stale')
    const change = input.returnReason === undefined ? buildChange(ctx, row, input) : buildReturn(ctx, row, input.returnReason)
    if (!change) return
    const next = { ...row, ...change }
    const isAsked = next.askedBy !== null && next.askedAt !== row.askedAt
    if (isAsked) await prepareAnswer(ctx, tx, toAnswer(next))
    await tx
      .update(officialResponseDrafts)
      .set({ ...change, lockVersion: row.lockVersion + 1 })
      .where(and(eq(officialResponseDrafts.siteId, ctx.site.id), eq(officialResponseDrafts.id, id)))
    if (isAsked) {
      await recordOnAnswer(ctx, tx, placed, 'contributions.ask-agreement')
      await mailAgreementRequest(ctx, tx, { projects: [placed.project], about: placed })
    }
    if (input.returnReason !== undefined)
      await recordOnAnswer(ctx, tx, placed, 'contributions.return-answer', { reason: next.returnReason })
  })
}

async function lockDraft(ctx: Ctx, tx: Tx, id: string): Promise<{ row: DraftRow; placed: PlacedContribution }> {
  const [row] = await tx
    .select()
    .from(officialResponseDrafts)
    .where(and(eq(officialResponseDrafts.siteId, ctx.site.id), eq(officialResponseDrafts.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return { row, placed: await requireContributionFor(ctx, tx, 'contributions.answer', row.contributionId) }
}

/** @returns undefined if nothing differs */
function buildChange(ctx: Ctx, row: DraftRow, input: UpdateInput<typeof answerDraftShape>): Partial<DraftRow> | undefined {
  const { statusId, text, team, visibility, alsoTo, waived } = row
  const before = { statusId, text, team, visibility, alsoTo, waived }
  const after = {
    statusId: input.status === undefined ? statusId : input.status,
    text: input.textTranslations ?? text,
    team: input.teamTranslations ?? team,
    visibility: input.visibility ?? visibility,
    alsoTo: input.alsoTo ?? alsoTo,
    waived: input.waived ?? waived,
  }
  const isChanged = !isJsonEqual(after, before)
  const wasAsked = row.askedBy !== null
  const asks = input.asked ?? (wasAsked && !isChanged)
  if (!isChanged && asks === wasAsked) return undefined
  if (asks && findOwnId(ctx) === undefined) throw new AppError('forbidden')
  return {
    ...(isChanged && { ...after, writtenBy: findOwnId(ctx) ?? null, writtenAt: ctx.now() }),
    ...(!asks && { askedBy: null, askedAt: null }),
    ...(asks && { askedBy: findOwnId(ctx) ?? null, askedAt: ctx.now(), returnedBy: null, returnedAt: null, returnReason: '' }),
  }
}

function buildReturn(ctx: Ctx, row: DraftRow, reason: string): Partial<DraftRow> {
  if (row.askedBy === null) throw new AppError('conflict')
  requireOther(ctx, row.askedBy)
  if (reason.trim() === '') throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/returnReason' }] })
  return { askedBy: null, askedAt: null, returnedBy: findOwnId(ctx) ?? null, returnedAt: ctx.now(), returnReason: reason.trim() }
}

/** Requires a person other than the one who asked. @throws {AppError} `forbidden` */
export function requireOther(ctx: Ctx, askedBy: string): void {
  const own = findOwnId(ctx)
  if (own === undefined || (ctx.viewer.kind === 'user' && ctx.viewer.apiToken)) throw new AppError('forbidden')
  if (own === askedBy) throw new AppError('forbidden', { detail: { key: 'own-answer' } })
}

const toAnswer = (row: DraftRow): AnswerInput => ({
  contribution: row.contributionId,
  status: row.statusId,
  textTranslations: row.text,
  teamTranslations: row.team,
  visibility: row.visibility,
  alsoTo: row.alsoTo,
  waived: row.waived,
})

interface AgreementRecord {
  id: string
  draft: string
  answer: string
  agreedAt: Date
}

/**
 * Agrees to a colleague's draft: it is published unchanged, in the name of the person who asked.
 * @throws {AppError} `not-found`; `forbidden`, also for one's own request; `stale` if it changed after it was read; `conflict` without a request;
 * what `createOfficialResponse` throws
 */
export function agreeToAnswer(ctx: Ctx, { draft: id, draftVersion }: CreateInput<typeof answerAgreementShape>): Promise<AgreementRecord> {
  return ctx.db.tx(async (tx) => {
    const { row, placed } = await lockDraft(ctx, tx, id)
    if (row.lockVersion !== draftVersion) throw new AppError('stale')
    if (row.askedBy === null) throw new AppError('conflict')
    requireOther(ctx, row.askedBy)
    const answer = await storeAnswers(ctx, tx, await prepareAnswer(ctx, tx, toAnswer(row)), { by: row.askedBy })
    await endDraft(ctx, tx, row)
    await recordOnAnswer(ctx, tx, placed, 'contributions.agree-answer', { askedBy: row.askedBy })
    return { id: createId(), draft: id, answer, agreedAt: ctx.now() }
  })
}

/** @throws {AppError} `not-found`, `forbidden` */
export async function removeAnswerDraft(ctx: Ctx, { id }: DraftRecord): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const { row, placed } = await lockDraft(ctx, tx, id)
    await endDraft(ctx, tx, row)
    await recordOnAnswer(ctx, tx, placed, 'contributions.discard-answer')
  })
}

const recordOnAnswer = (
  ctx: Ctx,
  tx: Tx,
  { contribution, project }: PlacedContribution,
  action: `contributions.${'ask-agreement' | 'return-answer' | 'agree-answer' | 'discard-answer'}`,
  detail: Record<string, string> = {},
): Promise<void> =>
  recordAudit(ctx, tx, {
    action,
    subject: { type: 'contributions', id: contribution.id },
    hubId: project.hubId,
    projectId: project.id,
    detail: { number: contribution.number, ...detail },
  })
