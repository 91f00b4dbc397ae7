import { and, asc, count, desc, eq, inArray, isNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { isAdministrator, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { knownWhere, knowsAllProjects } from '#app/features/projects/projects.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type ContributionState, READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { asTable, lookUpRows } from '#app/server/db/look-up-rows.ts'
import {
  activities,
  contributions,
  contributionVersions,
  isPublished,
  officialResponses,
  replies,
} from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { searchTexts, toSearchWords } from '#app/server/db/text-search.ts'
import { isInActivities } from '../record/activities.policy.server.ts'
import type { AnsweredChoice, contributionShape, contributionVersionShape, replyShape } from '../contributions.api.schema.ts'
import { buildBoxFilter, buildNearFilter } from '../places/place-filters.server.ts'
import { buildOverdueFilter, buildQuestionFilter } from '../questions/question-state.server.ts'
import type { PhotoView } from '../record/photos.schema.ts'
import { deleteReleasedPhotos, loadPhotos, releasePhotos } from '../photos/stored-photos.server.ts'
import { type PlacedContribution, type PlacedReply, selectPlacedContributions } from '../record/loading.server.ts'
import { buildModeratedScope, loadWrittenByCondition } from '../record/written-by.server.ts'
import { findMasked } from '../moderation/masking/masked-originals.server.ts'
import { decideOnContribution, decideOnReply, eraseContribution, type StateDecision } from '../moderation/decide.server.ts'
import type { OfficialResponseRow } from '../responding/official-responses.server.ts'
import type { officialResponseShape } from '../responding/official-responses.api.schema.ts'

/** What the API shows: published contributions of activities that are; everything to those who may moderate them. */
export interface ContributionRecord extends PlacedContribution {
  id: string
  /** Who is to answer a question. */
  assignee?: string | null
  photos?: PhotoView[]
  /** Whether passages were removed. Known only to those who may see originals. */
  masked?: boolean
  /** Told only to the sender. */
  receipt?: string
}

const isInPublicActivity = sql`${activities.status} <> 'draft'`

const moderatedScope = (viewer: Viewer): SQL | undefined =>
  scopeWhere(viewer, 'contributions.moderate', { hub: projects.hubId, project: projects.id })

const mayModerate = (ctx: Ctx): SQL => moderatedScope(ctx.viewer) ?? sql`true`

const mayAnswer = (ctx: Ctx): SQL =>
  scopeWhere(ctx.viewer, 'contributions.answer', { hub: projects.hubId, project: projects.id }) ?? sql`true`

function isVisible(ctx: Ctx, more: SQL | undefined): SQL | undefined {
  const isPublic = and(inArray(contributions.state, [...READABLE_STATES]), isInPublicActivity)
  const own = ctx.viewer.kind === 'user' ? eq(contributions.authorId, ctx.viewer.id) : undefined
  return and(eq(contributions.siteId, ctx.site.id), knownWhere(ctx), or(isPublic, mayModerate(ctx), own), more)
}

/**
 * The same for lists, as rows that stand for the table. The viewer's own are added to those that everyone sees, which can then be counted in
 * an index.
 * @param states if only these are asked for
 */
function selectVisible(ctx: Ctx, states: readonly ContributionState[] | undefined): typeof contributions {
  const { viewer } = ctx
  const moderated = moderatedScope(viewer)
  if (moderated === undefined && knowsAllProjects(viewer)) return contributions
  const isSite = eq(contributions.siteId, ctx.site.id)
  const known = knownWhere(ctx)
  // Merged ones leave lists: they are asked for by name.
  const readable = READABLE_STATES.filter((state) => (states ? states.includes(state) : state !== 'merged'))
  const isReadable = readable.join() === 'published' ? isPublished : inArray(contributions.state, readable)
  const isPublic = and(isReadable, isInActivities(ctx, and(known, isInPublicActivity)))
  const isListed = isAdministrator(viewer) ? or(isPublic, isInActivities(ctx, and(known, moderated))) : isPublic
  const listed = sql`select * from ${contributions} where ${and(isSite, isListed)}`
  if (viewer.kind !== 'user') return asTable(contributions, listed)
  const isOwn = and(
    isSite,
    eq(contributions.authorId, viewer.id),
    states ? undefined : sql`${contributions.state} <> 'merged'`,
    isInActivities(ctx, known),
  )
  return asTable(contributions, sql`${listed} union all select * from ${contributions} where ${isOwn} and (${isListed}) is not true`)
}

export const loadContributions = (ctx: Ctx, ids: readonly string[]): Promise<ContributionRecord[]> =>
  ctx.db.read(async (tx) =>
    toRecords(ctx, tx, await selectPlacedContributions(tx, lookUpRows(contributions, ctx.site.id, ids)).where(isVisible(ctx, undefined))),
  )

async function toRecords(
  ctx: Ctx,
  tx: Tx,
  rows: readonly (PlacedContribution & { assignee: string | null })[],
): Promise<ContributionRecord[]> {
  const ids = rows.map(({ contribution }) => contribution.id)
  const photos = await loadPhotos(ctx, tx, ids)
  const masked = await findMasked(ctx, tx, ids)
  return rows.map((placed) => {
    const { id } = placed.contribution
    return { ...placed, id, photos: photos.get(id) ?? [], ...(masked && { masked: masked.has(id) }) }
  })
}

const buildAnsweredFilter = (choices: readonly AnsweredChoice[]): SQL | undefined =>
  or(...choices.map((choice) => (choice === 'no' ? isNull(contributions.answered) : eq(contributions.answered, choice))))

const SORT_COLUMNS = {
  submittedAt: contributions.submittedAt,
  publishedAt: contributions.publishedAt,
  supports: contributions.supports,
  replies: contributions.repliesCount,
  number: contributions.number,
  dueAt: contributions.dueAt,
}

export function listContributionRecords(
  ctx: Ctx,
  { filter, sort, page }: ListQuery<typeof contributionShape>,
): Promise<ListResult<ContributionRecord>> {
  return ctx.db.read(async (tx) => {
    const words = toSearchWords(filter.q ?? '')
    const found = words.length > 0 ? await searchTexts(tx, ctx.site.id, words) : undefined
    const visible = selectVisible(ctx, filter.state)
    const where = and(
      eq(contributions.siteId, ctx.site.id),
      filter.activity ? eq(contributions.activityId, filter.activity) : undefined,
      filter.project ? isInActivities(ctx, eq(projects.id, filter.project)) : undefined,
      filter.state ? inArray(contributions.state, filter.state) : undefined,
      filter.number === undefined ? undefined : eq(contributions.number, filter.number),
      filter.category ? sql`${contributions.categories} @> array[${filter.category}]::text[]` : undefined,
      filter.area ? eq(contributions.areaId, filter.area) : undefined,
      filter.status ? eq(contributions.statusId, filter.status) : undefined,
      filter.bbox === undefined ? undefined : buildBoxFilter(ctx.site.id, filter.bbox),
      filter.near === undefined ? undefined : buildNearFilter(filter.near),
      filter.question ? buildQuestionFilter(filter.question) : undefined,
      filter.overdue === undefined ? undefined : buildOverdueFilter(filter.overdue, ctx.now()),
      filter.assignee ? and(eq(contributions.assigneeId, filter.assignee), isInActivities(ctx, mayAnswer(ctx))) : undefined,
      filter.answered ? buildAnsweredFilter(filter.answered) : undefined,
      filter.profile === undefined ? undefined : and(buildModeratedScope(ctx), await loadWrittenByCondition(ctx, tx, filter.profile)),
      found?.where(contributions.id),
    )
    const [counted] = await tx.select({ total: count() }).from(visible).where(where)
    const order = [...sort.map(({ by, descending }) => (descending ? desc : asc)(SORT_COLUMNS[by])), asc(contributions.id)]
    // Sorts ids, not whole rows of four tables.
    const shown = tx
      .select({ id: contributions.id })
      .from(visible)
      .where(where)
      .orderBy(...order)
      .limit(page.limit)
      .offset(page.offset)
    const rows = await selectPlacedContributions(tx, lookUpRows(contributions, ctx.site.id, sql`array(${shown})`)).orderBy(...order)
    return { rows: await toRecords(ctx, tx, rows), total: counted?.total ?? 0 }
  })
}

const DECISION_BY_STATE: Partial<Record<ContributionState, StateDecision>> = {
  published: 'publish',
  held: 'hold',
  declined: 'decline',
  removed: 'remove',
}

/** @throws {AppError} `invalid` for a state that no decision leads to */
function requireDecision(state: ContributionState | undefined): StateDecision {
  const decision = state && DECISION_BY_STATE[state]
  if (!decision) throw new AppError('invalid', { faults: [{ code: state ? 'not-a-choice' : 'required', pointer: '/state' }] })
  return decision
}

/** Decides about a contribution. @throws {AppError} `not-found`, `forbidden`, `conflict`, `invalid` */
export async function decideContribution(
  ctx: Ctx,
  id: string,
  { state, rule, reason = '' }: UpdateInput<typeof contributionShape>,
): Promise<void> {
  if (state === 'erased') {
    await eraseContribution(ctx, id, reason)
    await ctx.db.tx((tx) => releasePhotos(tx, ctx.site.id, [id], ctx.now()))
    return deleteReleasedPhotos(ctx, id)
  }
  await decideOnContribution(ctx, id, requireDecision(state), { ...(rule && { rule }), words: reason })
}

/** How what belongs to a contribution is joined with it, its activity and its project. */
const toContribution = (row: Record<'siteId' | 'contributionId', AnyPgColumn>) =>
  and(eq(contributions.siteId, row.siteId), eq(contributions.id, row.contributionId))
const ofActivity = and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId))
const ofProject = and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId))

async function countRows(tx: Tx, rows: SQLWrapper): Promise<number> {
  const { rows: found } = await tx.execute<{ total: number }>(sql`select count(*)::int as total from ${rows} counted`)
  return found[0]?.total ?? 0
}

export type ReplyRecord = PlacedReply & { id: string }

const selectReplies = (tx: Tx) =>
  tx
    .select({ reply: replies, contribution: contributions, activity: activities, project: projects })
    .from(replies)
    .innerJoin(contributions, toContribution(replies))
    .innerJoin(activities, ofActivity)
    .innerJoin(projects, ofProject)

function isVisibleReply(ctx: Ctx, more: SQL | undefined): SQL | undefined {
  const isPublic = and(eq(replies.state, 'published'), inArray(contributions.state, [...READABLE_STATES]), isInPublicActivity)
  const own = ctx.viewer.kind === 'user' ? eq(replies.authorId, ctx.viewer.id) : undefined
  return and(eq(replies.siteId, ctx.site.id), knownWhere(ctx), or(isPublic, mayModerate(ctx), own), more)
}

const toReplyRecord = (row: Awaited<ReturnType<typeof selectReplies>>[number]): ReplyRecord => ({ ...row, stage: null, id: row.reply.id })

export const loadReplies = (ctx: Ctx, ids: readonly string[]): Promise<ReplyRecord[]> =>
  ctx.db.read(async (tx) => (await selectReplies(tx).where(isVisibleReply(ctx, inArray(replies.id, [...ids])))).map(toReplyRecord))

export function listReplies(ctx: Ctx, { filter, sort, page }: ListQuery<typeof replyShape>): Promise<ListResult<ReplyRecord>> {
  return ctx.db.read(async (tx) => {
    const where = isVisibleReply(
      ctx,
      and(
        filter.contribution ? eq(replies.contributionId, filter.contribution) : undefined,
        filter.state ? inArray(replies.state, filter.state) : undefined,
      ),
    )
    const counted = await countRows(tx, selectReplies(tx).where(where))
    const order = sort[0]?.descending ? desc : asc
    const rows = await selectReplies(tx)
      .where(where)
      .orderBy(order(replies.createdAt), asc(replies.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map(toReplyRecord), total: counted }
  })
}

/** Decides about a reply. @throws {AppError} `not-found`, `forbidden`, `conflict`, `invalid` */
export const decideReply = (ctx: Ctx, { id }: ReplyRecord, { state, rule, reason = '' }: UpdateInput<typeof replyShape>): Promise<void> =>
  decideOnReply(ctx, id, requireDecision(state), { ...(rule && { rule }), words: reason })

interface VersionRecord extends Pick<PlacedContribution, 'activity' | 'project'> {
  id: string
  version: typeof contributionVersions.$inferSelect
  authorId: string | null
}

/** Versions that were public, to everyone who sees the contribution; all of them to moderators. */
const isVisibleVersion = (ctx: Ctx, more: SQL | undefined) =>
  isVisible(ctx, and(or(eq(contributionVersions.wasPublic, true), mayModerate(ctx)), more))

const selectVersions = (tx: Tx) =>
  tx
    .select({ version: contributionVersions, activity: activities, project: projects, authorId: contributions.authorId })
    .from(contributionVersions)
    .innerJoin(contributions, toContribution(contributionVersions))
    .innerJoin(activities, ofActivity)
    .innerJoin(projects, ofProject)

const toVersionRecord = (row: Awaited<ReturnType<typeof selectVersions>>[number]): VersionRecord => ({ ...row, id: row.version.id })

export const loadVersions = (ctx: Ctx, ids: readonly string[]): Promise<VersionRecord[]> =>
  ctx.db.read(async (tx) =>
    (await selectVersions(tx).where(isVisibleVersion(ctx, inArray(contributionVersions.id, [...ids])))).map(toVersionRecord),
  )

export function listVersions(
  ctx: Ctx,
  { filter, sort, page }: ListQuery<typeof contributionVersionShape>,
): Promise<ListResult<VersionRecord>> {
  return ctx.db.read(async (tx) => {
    const where = isVisibleVersion(ctx, filter.contribution ? eq(contributionVersions.contributionId, filter.contribution) : undefined)
    const order = sort[0]?.descending ? desc : asc
    const rows = await selectVersions(tx)
      .where(where)
      .orderBy(order(contributionVersions.number), asc(contributionVersions.id))
      .limit(page.limit)
      .offset(page.offset)
    const counted = await countRows(tx, selectVersions(tx).where(where))
    return { rows: rows.map(toVersionRecord), total: counted }
  })
}

/** Private ones, to the person who asked and to those who may answer. */
function isVisibleResponse(ctx: Ctx, more: SQL | undefined): SQL | undefined {
  const own = ctx.viewer.kind === 'user' ? eq(contributions.authorId, ctx.viewer.id) : undefined
  return isVisible(ctx, and(or(eq(officialResponses.visibility, 'public'), mayAnswer(ctx), own), more))
}

const selectOfficialResponses = (tx: Tx) =>
  tx
    .select({ response: officialResponses, project: { id: projects.id, hubId: projects.hubId, publishedAt: projects.publishedAt } })
    .from(officialResponses)
    .innerJoin(contributions, toContribution(officialResponses))
    .innerJoin(activities, ofActivity)
    .innerJoin(projects, ofProject)

export type PlacedResponse = OfficialResponseRow & { project: Awaited<ReturnType<typeof selectOfficialResponses>>[number]['project'] }

export const loadOfficialResponses = (ctx: Ctx, ids: readonly string[]): Promise<PlacedResponse[]> =>
  ctx.db.read(async (tx) =>
    (await selectOfficialResponses(tx).where(isVisibleResponse(ctx, inArray(officialResponses.id, [...ids])))).map(
      ({ response, project }) => ({
        ...response,
        project,
      }),
    ),
  )

export function listOfficialResponses(
  ctx: Ctx,
  { filter, sort, page }: ListQuery<typeof officialResponseShape>,
): Promise<ListResult<PlacedResponse>> {
  return ctx.db.read(async (tx) => {
    const where = isVisibleResponse(ctx, filter.contribution ? eq(officialResponses.contributionId, filter.contribution) : undefined)
    const order = sort[0]?.descending ? desc : asc
    const rows = await selectOfficialResponses(tx)
      .where(where)
      .orderBy(order(officialResponses.version), asc(officialResponses.id))
      .limit(page.limit)
      .offset(page.offset)
    const counted = await countRows(tx, selectOfficialResponses(tx).where(where))
    return { rows: rows.map(({ response, project }) => ({ ...response, project })), total: counted }
  })
}
