import { and, asc, eq, inArray, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermissionSomewhere, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { hasText, type Translated } from '#app/lib/translated.ts'
import type { AnswerSetState, ContributionState } from '#app/lib/vocabulary/contributions.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { activities, contributions, contributionStatuses, officialAnswerSets } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { createLocaliser } from '../record/answers.server.ts'
import { mailAgreementRequest } from '../responding/agreement-mails.server.ts'
import { requireOther } from '../responding/answer-drafts.server.ts'
import { requireLanguages, requireNoAgreement } from '../responding/official-responses.server.ts'
import { listAnswerableActivities, listCommonStatuses } from './desk-answers.server.ts'
import { type SET_ACTS, SET_PAGE_SIZE } from './desk-search.ts'

export type SetRow = typeof officialAnswerSets.$inferSelect

/** What a list of the desk shows of an answer to many. */
export interface AnswerSet {
  id: string
  /** `asked`: a draft that waits for a colleague's agreement. */
  state: SetRow['state'] | 'asked'
  count: number
  /** Of these, how many got it so far, and how many could not. */
  sent: number
  refused: number
  projects: { id: string; title: string; count: number }[]
  status: { id: string; title: string } | null
  textTranslations: Translated
  teamTranslations: Translated
  waived: string[]
  writtenByName: string | null
  askedByName: string | null
  askedAt: string | null
  returnedByName: string | null
  returnReason: string
  canAgree: boolean
  lockVersion: number
}

const [writers, askers, returners] = [alias(users, 'writers'), alias(users, 'askers'), alias(users, 'returners')]

const isInSet = sql`${contributions.siteId} = ${officialAnswerSets.siteId} and ${contributions.id} = any (${officialAnswerSets.contributionIds})`
const placedInSet = sql`${contributions} join ${activities} on ${activities.siteId} = ${contributions.siteId} and ${activities.id} = ${contributions.activityId}
  join ${projects} on ${projects.siteId} = ${activities.siteId} and ${projects.id} = ${activities.projectId}`

/** Only for those who may answer all of its contributions. */
export function isOwnSet(ctx: Ctx, more?: SQL): SQL | undefined {
  const scope = scopeWhere(ctx.viewer, 'contributions.answer', { hub: projects.hubId, project: projects.id })
  return and(
    eq(officialAnswerSets.siteId, ctx.site.id),
    more,
    scope && sql`exists (select from ${placedInSet} where ${isInSet})`,
    scope && sql`not exists (select from ${placedInSet} where ${isInSet} and (${scope}) is not true)`,
  )
}

/** No job sends it any more. */
export const ENDED_STATES: AnswerSetState[] = ['done', 'cancelled']

/**
 * Answers to many that are drafted, wait for a colleague's agreement, or are being sent; and what became of those that the viewer took part in.
 * @throws {AppError} `unauthenticated`, `forbidden`
 */
export function listAnswerSets(ctx: Ctx): Promise<AnswerSet[]> {
  requirePermissionSomewhere(ctx, 'contributions.answer')
  return ctx.db.read(async (tx) => {
    const places = sql<{ id: string; title: Translated; count: number }[]>`(select coalesce(jsonb_agg(counted), '[]') from (
      select ${projects.id} as id, ${projects.title} as title, count(*)::int as count from ${placedInSet} where ${isInSet} group by 1, 2) counted)`
    const rows = await tx
      .select({
        set: officialAnswerSets,
        places,
        status: contributionStatuses,
        writer: writers.login,
        asker: askers.login,
        returner: returners.login,
      })
      .from(officialAnswerSets)
      .leftJoin(
        contributionStatuses,
        and(eq(contributionStatuses.siteId, officialAnswerSets.siteId), eq(contributionStatuses.id, officialAnswerSets.statusId)),
      )
      .leftJoin(writers, and(eq(writers.siteId, officialAnswerSets.siteId), eq(writers.id, officialAnswerSets.writtenBy)))
      .leftJoin(askers, and(eq(askers.siteId, officialAnswerSets.siteId), eq(askers.id, officialAnswerSets.askedBy)))
      .leftJoin(returners, and(eq(returners.siteId, officialAnswerSets.siteId), eq(returners.id, officialAnswerSets.returnedBy)))
      .where(isOwnSet(ctx, or(notInArray(officialAnswerSets.state, ENDED_STATES), isPartOf(ctx))))
      .orderBy(asc(officialAnswerSets.writtenAt), asc(officialAnswerSets.id))
    const localise = createLocaliser(ctx)
    return rows.map(({ set, places: found, status, writer, asker, returner }) => ({
      id: set.id,
      state: set.state === 'draft' && set.askedBy ? 'asked' : set.state,
      count: set.contributionIds.length,
      sent: set.sent,
      refused: set.refused.length,
      projects: found.map(({ id, title, count }) => ({ id, title: localise(title).text, count })),
      status: status && { id: status.id, title: localise(status.title).text },
      textTranslations: set.text,
      teamTranslations: set.team,
      waived: set.waived,
      writtenByName: writer,
      askedByName: asker,
      askedAt: set.askedAt?.toISOString() ?? null,
      returnedByName: returner,
      returnReason: set.returnReason,
      canAgree: set.askedBy !== null && set.state === 'draft' && findOwnId(ctx) !== set.askedBy,
      lockVersion: set.lockVersion,
    }))
  })
}

function isPartOf(ctx: Ctx): SQL | undefined {
  const own = findOwnId(ctx)
  if (own === undefined) return undefined
  const { writtenBy, askedBy, agreedBy } = officialAnswerSets
  return or(eq(writtenBy, own), eq(askedBy, own), eq(agreedBy, own))
}

interface SetMember {
  id: string
  number: number
  title: string
  language: ContentLanguage
  state: ContributionState
  activity: string
}

/** A page of what an answer to many is going to. @throws {AppError} `unauthenticated`, `forbidden`, `not-found` */
export function listSetMembers(ctx: Ctx, { id, page }: { id: string; page: number }): Promise<{ data: SetMember[]; total: number }> {
  requirePermissionSomewhere(ctx, 'contributions.answer')
  return ctx.db.read(async (tx) => {
    const set = await requireSet(ctx, tx, id)
    const rows = await tx
      .select({
        id: contributions.id,
        number: contributions.number,
        title: contributions.title,
        language: contributions.language,
        state: contributions.state,
        activity: activities.title,
      })
      .from(contributions)
      .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
      .where(and(eq(contributions.siteId, ctx.site.id), inArray(contributions.id, set.contributionIds)))
      .orderBy(asc(contributions.submittedAt), asc(contributions.id))
      .limit(SET_PAGE_SIZE)
      .offset((page - 1) * SET_PAGE_SIZE)
    const localise = createLocaliser(ctx)
    return { data: rows.map((row) => ({ ...row, activity: localise(row.activity).text })), total: set.contributionIds.length }
  })
}

export async function requireSet(ctx: Ctx, tx: Tx, id: string, locks = false): Promise<SetRow> {
  const found = tx
    .select()
    .from(officialAnswerSets)
    .where(isOwnSet(ctx, eq(officialAnswerSets.id, id)))
  const [set] = await (locks ? found.for('update') : found)
  if (!set) throw new AppError('not-found')
  return set
}

export interface SetAnswer {
  status: string | null
  textTranslations: Translated
  teamTranslations: Translated
  waived: readonly string[]
}

/**
 * Drafts the same answer for many contributions, and asks a colleague to agree to it. Sent twice, it is asked for once.
 * @param set its id, made by the caller, and the contributions
 * @throws {AppError} `unauthenticated`, `forbidden`; `conflict` if one of them cannot be answered; `invalid` with `required` at `/textTranslations`,
 * `translation-missing`, or `not-a-choice` at `/status` if not all of their activities have it
 */
export function askForAnswerSet(ctx: Ctx, { id, ids, ...answer }: SetAnswer & { id: string; ids: readonly string[] }): Promise<void> {
  requirePermissionSomewhere(ctx, 'contributions.answer')
  return ctx.db.tx(async (tx) => {
    const chosen = [...new Set(ids)]
    await requireSetAnswer(ctx, tx, chosen, answer, true)
    const made = await tx
      .insert(officialAnswerSets)
      .values({ siteId: ctx.site.id, id, contributionIds: chosen, ...toColumns(answer), ...toRequest(ctx) })
      .onConflictDoNothing()
      .returning({ id: officialAnswerSets.id })
    if (made.length > 0) await announceRequest(ctx, tx, id, chosen)
  })
}

/** Changes an answer to many that was returned or taken back, and asks again. @throws as `askForAnswerSet`; `stale` if it changed meanwhile */
export function askAgainForAnswerSet(
  ctx: Ctx,
  { id, lockVersion, ...answer }: SetAnswer & { id: string; lockVersion: number },
): Promise<void> {
  requirePermissionSomewhere(ctx, 'contributions.answer')
  return ctx.db.tx(async (tx) => {
    const set = await requireSetAt(ctx, tx, id, lockVersion)
    if (set.askedBy !== null || set.state !== 'draft') throw new AppError('conflict')
    // What was taken off the site meanwhile is not asked about again.
    const { rows } = await tx.execute<{
      ids: string[] | null
    }>(sql`select array_agg(${contributions.id}::text order by ${contributions.submittedAt},
      ${contributions.id}) as ids from ${contributions} where ${and(
        eq(contributions.siteId, ctx.site.id),
        inArray(contributions.id, set.contributionIds),
        eq(contributions.state, 'published'),
      )}`)
    const chosen = rows[0]?.ids ?? []
    await requireSetAnswer(ctx, tx, chosen, answer, true)
    await changeSet(ctx, tx, set, { contributionIds: chosen, ...toColumns(answer), ...toRequest(ctx) })
    await announceRequest(ctx, tx, id, chosen)
  })
}

/**
 * Sends an answer, or only a status, to many: a job does it from now on, in the viewer's name and with the rights that they have now, unless they lose them.
 * Sent twice, it is sent once.
 * @throws {AppError} `unauthenticated`, `forbidden`, also if the site wants a second person's agreement to words; otherwise as `askForAnswerSet`
 */
export function sendToMany(ctx: Ctx, { id, ids, ...answer }: SetAnswer & { id: string; ids: readonly string[] }): Promise<void> {
  requirePermissionSomewhere(ctx, 'contributions.answer')
  return ctx.db.tx(async (tx) => {
    const chosen = [...new Set(ids)]
    await requireSetAnswer(ctx, tx, chosen, answer)
    if (hasText(answer.textTranslations)) await requireNoAgreement(ctx, tx, 'answer-needs-agreement')
    const { writtenBy, writtenAt } = toRequest(ctx)
    const made = await tx
      .insert(officialAnswerSets)
      .values({ siteId: ctx.site.id, id, contributionIds: chosen, ...toColumns(answer), writtenBy, writtenAt, state: 'waiting' })
      .onConflictDoNothing()
      .returning({ id: officialAnswerSets.id })
    if (made.length > 0) await recordOnSet(ctx, tx, { id, contributionIds: chosen }, 'contributions.send-answers')
  })
}

const toColumns = ({ status, textTranslations, teamTranslations, waived }: SetAnswer) => ({
  statusId: status,
  text: textTranslations,
  team: teamTranslations,
  waived: [...waived],
})

function toRequest(ctx: Ctx) {
  const own = findOwnId(ctx)
  if (own === undefined) throw new AppError('forbidden')
  const at = ctx.now()
  return { writtenBy: own, writtenAt: at, askedBy: own, askedAt: at, returnedBy: null, returnedAt: null, returnReason: '' }
}

async function requireSetAnswer(ctx: Ctx, tx: Tx, ids: string[], answer: SetAnswer, needsWords = false): Promise<void> {
  const answerable = await listAnswerableActivities(ctx, tx)
  const where = and(
    eq(contributions.siteId, ctx.site.id),
    inArray(contributions.id, ids),
    eq(contributions.state, 'published'),
    inArray(contributions.activityId, answerable),
  )
  const fitting = ids.length > 0 ? await tx.$count(contributions, where) : 0
  if (fitting === 0 || fitting < ids.length) throw new AppError('conflict')
  const status = answer.status === null ? null : (await listCommonStatuses(ctx, tx, ids)).find(({ id }) => id === answer.status)
  if ((needsWords || !status || status.needsText) && !hasText(answer.textTranslations))
    throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/textTranslations' }] })
  if (status === undefined) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/status' }] })
  requireLanguages(ctx, { text: answer.textTranslations, team: answer.teamTranslations }, { waived: answer.waived })
}

async function announceRequest(ctx: Ctx, tx: Tx, id: string, ids: readonly string[]): Promise<void> {
  const rows = await tx
    .selectDistinct({ project: projects })
    .from(contributions)
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .where(and(eq(contributions.siteId, ctx.site.id), inArray(contributions.id, [...ids])))
  await mailAgreementRequest(ctx, tx, { projects: rows.map(({ project }) => project), about: ids.length })
  await recordOnSet(ctx, tx, { id, contributionIds: [...ids] }, 'contributions.ask-agreement')
}

async function requireSetAt(ctx: Ctx, tx: Tx, id: string, lockVersion: number): Promise<SetRow> {
  const set = await requireSet(ctx, tx, id, true)
  if (set.lockVersion !== lockVersion) throw new AppError('stale')
  return set
}

const changeSet = (ctx: Ctx, tx: Tx, { id, lockVersion }: SetRow, change: Partial<SetRow>) =>
  tx
    .update(officialAnswerSets)
    .set({ ...change, lockVersion: lockVersion + 1 })
    .where(and(eq(officialAnswerSets.siteId, ctx.site.id), eq(officialAnswerSets.id, id)))

interface SetDecision {
  id: string
  lockVersion: number
  act: (typeof SET_ACTS)[number]
  reason?: string | undefined
}

/**
 * Agrees to a colleague's answer to many, which is sent from then on; returns it with a reason; takes the request back, or discards the draft.
 * @throws {AppError} `unauthenticated`, `not-found`; `forbidden`, also for agreeing to or returning one's own; `stale`; `conflict` if it is being sent
 * or no agreement was asked for; `invalid` without a reason to return it
 */
export function decideOnAnswerSet(ctx: Ctx, { id, lockVersion, act, reason = '' }: SetDecision): Promise<void> {
  requirePermissionSomewhere(ctx, 'contributions.answer')
  return ctx.db.tx(async (tx) => {
    const set = await requireSetAt(ctx, tx, id, lockVersion)
    if (set.state !== 'draft' || (act !== 'discard' && set.askedBy === null)) throw new AppError('conflict')
    if (act === 'discard') {
      await tx.delete(officialAnswerSets).where(and(eq(officialAnswerSets.siteId, ctx.site.id), eq(officialAnswerSets.id, id)))
      return recordOnSet(ctx, tx, set, 'contributions.discard-answer')
    }
    if (act === 'take-back') return void (await changeSet(ctx, tx, set, { askedBy: null, askedAt: null }))
    requireOther(ctx, set.askedBy ?? '')
    const own = findOwnId(ctx) ?? null
    if (act === 'agree') {
      await changeSet(ctx, tx, set, { agreedBy: own, agreedAt: ctx.now(), state: 'waiting' })
      return recordOnSet(ctx, tx, set, 'contributions.agree-answer')
    }
    const words = reason.trim()
    if (words === '') throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/returnReason' }] })
    await changeSet(ctx, tx, set, { askedBy: null, askedAt: null, returnedBy: own, returnedAt: ctx.now(), returnReason: words })
    return recordOnSet(ctx, tx, set, 'contributions.return-answer', { reason: words })
  })
}

export const recordOnSet = (
  ctx: Ctx,
  tx: Tx,
  { id, contributionIds }: Pick<SetRow, 'id' | 'contributionIds'>,
  action: `contributions.${'ask-agreement' | 'return-answer' | 'agree-answer' | 'discard-answer' | 'send-answers' | 'stop-answers'}`,
  detail: Record<string, string | number> = {},
): Promise<void> =>
  recordAudit(ctx, tx, {
    action,
    subject: { type: 'official-answer-sets', id },
    detail: { contributions: contributionIds.length, ...detail },
  })
