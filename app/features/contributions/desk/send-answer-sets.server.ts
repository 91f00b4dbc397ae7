import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { requirePermissionSomewhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { isId } from '#app/lib/uuid.ts'
import type { AnswerRefusal } from '#app/lib/vocabulary/contributions.ts'
import { loadAccountViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributions, contributionStatuses, officialAnswerSets } from '#app/server/db/schema/contributions.ts'
import { attemptWork } from '#app/server/jobs/attempt-work.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { runLeasedWork, SupersededError, updateLeased } from '#app/server/jobs/leased-work.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { createLocaliser } from '../record/answers.server.ts'
import { isSameStatus, prepareAnswer, storeAnswers } from '../responding/official-responses.server.ts'
import { ENDED_STATES, isOwnSet, recordOnSet, requireSet, type SetRow } from './answer-sets.server.ts'
import { loadStatuses } from './desk-answers.server.ts'
import type { SENDING_ACTS } from './desk-search.ts'

/** What became of an answer to many is shown for so long. */
const KEPT_DAYS = 7
/** A page lists so many of the contributions that did not get it. */
const REFUSALS_SHOWN = 200

/**
 * Sends the answers to many of every site, one contribution after the other. Each is answered in the transaction that counts it, so that a worker that
 * dies answers nothing twice, and its successor goes on. Run by a job.
 * @returns how many answers to many were finished
 */
export async function sendAnswerSets(runtime: Runtime, ending?: AbortSignal): Promise<number> {
  await runOnEachSite(runtime, removeOldSets)
  return runLeasedWork(runtime, {
    table: officialAnswerSets,
    failure: 'an answer to many could not be sent',
    start: () => ({}),
    make: (ctx, set) => sendSet(ctx, set, ending),
    ending,
  })
}

function removeOldSets(ctx: Ctx): Promise<number> {
  const before = new Date(ctx.now().getTime() - KEPT_DAYS * 86_400_000)
  return ctx.db.tx(async (tx) => {
    const isOld = and(eq(officialAnswerSets.siteId, ctx.site.id), lt(officialAnswerSets.finishedAt, before))
    return (await tx.delete(officialAnswerSets).where(isOld)).rowCount ?? 0
  })
}

async function sendSet(job: Ctx, set: SetRow, ending: AbortSignal | undefined): Promise<void> {
  const sender = set.agreedBy ?? set.writtenBy
  // When they pressed the button they had the rights for all of it. Those that they lost since do not count.
  const viewer = sender ? await loadAccountViewer(job.db, sender, 'all') : undefined
  if (!viewer) return refuseRest(job, set)
  const ctx = createCtx(job.runtime, job.site, { viewer })
  const statuses = set.statusId ? await ctx.db.read((tx) => listStatusesLike(ctx, tx, set)) : []
  for (let at = set.handled; at < set.contributionIds.length; at += 1) {
    if (ending?.aborted) {
      await updateLeased(ctx, officialAnswerSets, set, { state: 'waiting', lease: null })
      throw new SupersededError()
    }
    await sendNext(ctx, set, { at, statuses })
  }
  await updateLeased(ctx, officialAnswerSets, set, { state: 'done', finishedAt: ctx.now() })
}

function refuseRest(ctx: Ctx, set: SetRow): Promise<void> {
  const rest = set.contributionIds.slice(set.handled).map((id): AnswerRefusal => ({ id, reason: 'not-allowed' }))
  const handled = set.contributionIds.length
  return updateLeased(ctx, officialAnswerSets, set, { handled, refused: [...set.refused, ...rest], state: 'done', finishedAt: ctx.now() })
}

type StatusRow = typeof contributionStatuses.$inferSelect

/** The same status in each of the activities. */
async function listStatusesLike(ctx: Ctx, tx: Tx, { statusId, contributionIds }: SetRow): Promise<StatusRow[]> {
  const places = await tx
    .selectDistinct({ id: contributions.activityId })
    .from(contributions)
    .where(and(eq(contributions.siteId, ctx.site.id), inArray(contributions.id, contributionIds)))
  const offered = await loadStatuses(
    ctx,
    tx,
    places.map((place) => place.id),
  )
  const [given] = await tx
    .select()
    .from(contributionStatuses)
    .where(and(eq(contributionStatuses.siteId, ctx.site.id), eq(contributionStatuses.id, statusId ?? '')))
  return offered.filter((status) => given && isSameStatus(status, given))
}

/** Answers the next contribution, or records why it cannot be answered. @throws {SupersededError} if it was stopped */
function sendNext(ctx: Ctx, set: SetRow, { at, statuses }: { at: number; statuses: readonly StatusRow[] }): Promise<void> {
  const id = set.contributionIds[at] ?? ''
  const counted = { handled: at + 1, aliveAt: ctx.now() }
  return attemptWork(
    () =>
      updateLeased(ctx, officialAnswerSets, set, { ...counted, sent: sql`${officialAnswerSets.sent} + 1` }, (tx) =>
        sendOne(ctx, tx, set, { id, statuses }),
      ),
    (error) => {
      const reason = findRefusal(error)
      if (!reason) throw error
      const refusal: AnswerRefusal = { id, reason }
      const refused = sql`${officialAnswerSets.refused} || ${JSON.stringify([refusal])}::jsonb`
      return updateLeased(ctx, officialAnswerSets, set, { ...counted, refused })
    },
  )
}

async function sendOne(ctx: Ctx, tx: Tx, set: SetRow, { id, statuses }: { id: string; statuses: readonly StatusRow[] }): Promise<void> {
  const [placed] = await tx
    .select({ activityId: contributions.activityId })
    .from(contributions)
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, id)))
  const prepared = await prepareAnswer(ctx, tx, {
    contribution: id,
    status: set.statusId && (statuses.find(({ activityId }) => activityId === placed?.activityId)?.id ?? set.statusId),
    textTranslations: set.text,
    teamTranslations: set.team,
    waived: set.waived,
  })
  await storeAnswers(ctx, tx, prepared, { by: set.askedBy ?? set.writtenBy, group: set.id })
}

function findRefusal(error: unknown): AnswerRefusal['reason'] | undefined {
  if (!isAppError(error)) return undefined
  if (error.code === 'not-found' || error.code === 'gone') return 'gone'
  if (error.code === 'conflict') return 'not-published'
  if (error.code === 'forbidden' || error.code === 'unauthenticated') return 'not-allowed'
  if (error.code === 'invalid') return error.faults.some(({ pointer }) => pointer === '/status') ? 'status' : 'words'
  return undefined
}

/**
 * Stops an answer to many that is being sent: what was sent stays. Sends the rest after it failed. Removes one that ended from the list.
 * @throws {AppError} `unauthenticated`, `forbidden`, `not-found`; `conflict` if it is not in such a state
 */
export function changeSending(ctx: Ctx, { id, act }: { id: string; act: (typeof SENDING_ACTS)[number] }): Promise<void> {
  requirePermissionSomewhere(ctx, 'contributions.answer')
  return ctx.db.tx(async (tx) => {
    const set = await requireSet(ctx, tx, id, true)
    const isThis = and(eq(officialAnswerSets.siteId, ctx.site.id), eq(officialAnswerSets.id, id))
    const isEnded = ENDED_STATES.includes(set.state)
    if (act === 'dismiss') {
      if (!isEnded && set.state !== 'failed') throw new AppError('conflict')
      return void (await tx.delete(officialAnswerSets).where(isThis))
    }
    if (act === 'send-rest') {
      if (set.state !== 'failed') throw new AppError('conflict')
      return void (await tx.update(officialAnswerSets).set({ state: 'waiting', finishedAt: null }).where(isThis))
    }
    // Pressed twice.
    if (set.state === 'cancelled') return
    if (set.state !== 'waiting' && set.state !== 'running') throw new AppError('conflict')
    await tx.update(officialAnswerSets).set({ state: 'cancelled', finishedAt: ctx.now() }).where(isThis)
    await recordOnSet(ctx, tx, set, 'contributions.stop-answers', { sent: set.sent })
  })
}

/** How far an answer to many is, as its page shows it. */
export interface SendingProgress {
  id: string
  state: Exclude<SetRow['state'], 'draft'>
  count: number
  sent: number
  refused: number
  /** The first of those that did not get it. What is gone has no title and number. */
  refusals: {
    id: string
    reason: AnswerRefusal['reason']
    number: number | null
    title: string | null
    language: ContentLanguage | null
    activity: string | null
  }[]
}

/** @throws {AppError} `unauthenticated`, `forbidden`, `not-found`, also for one that is still a draft */
export function readSendingProgress(ctx: Ctx, id: string): Promise<SendingProgress> {
  requirePermissionSomewhere(ctx, 'contributions.answer')
  if (!isId(id)) throw new AppError('not-found')
  return ctx.db.read(async (tx) => {
    const [set] = await tx
      .select()
      .from(officialAnswerSets)
      .where(isOwnSet(ctx, eq(officialAnswerSets.id, id)))
    if (!set || set.state === 'draft') throw new AppError('not-found')
    const shown = set.refused.slice(0, REFUSALS_SHOWN)
    const rows = await tx
      .select({
        id: contributions.id,
        number: contributions.number,
        title: contributions.title,
        language: contributions.language,
        activity: activities.title,
      })
      .from(contributions)
      .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
      .where(
        and(
          eq(contributions.siteId, ctx.site.id),
          inArray(
            contributions.id,
            shown.map((one) => one.id),
          ),
        ),
      )
    const localise = createLocaliser(ctx)
    const found = new Map(rows.map((row) => [row.id, row]))
    return {
      id: set.id,
      state: set.state,
      count: set.contributionIds.length,
      sent: set.sent,
      refused: set.refused.length,
      refusals: shown.map((refusal) => {
        const row = found.get(refusal.id)
        const { number = null, title = null, language = null } = row ?? {}
        return { ...refusal, number, title, language, activity: row ? localise(row.activity).text : null }
      }),
    }
  })
}
