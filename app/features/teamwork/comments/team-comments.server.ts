import { and, asc, count, desc, eq, gte, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { teamComments, teamCommentVersions, teamMentions } from '#app/server/db/schema/teamwork.ts'
import { isAboutOwnWork, listColleagues, type PlacedTarget, requireTarget } from '../targets.server.ts'
import { mailMentions } from './mention-mails.server.ts'
import type { teamCommentShape } from './team-comments.api.schema.ts'

type CommentRow = typeof teamComments.$inferSelect

interface CommentRecord extends CommentRow {
  author: string | null
  resolver: string | null
  mentions: { id: string; name: string }[]
  former: { body: string; writtenAt: string }[]
}

const resolvers = alias(users, 'resolvers')

const isVisible = (ctx: Ctx, more: SQL | undefined): SQL | undefined =>
  and(eq(teamComments.siteId, ctx.site.id), isAboutOwnWork(ctx, teamComments), more)

const isOfProject = and(eq(projects.siteId, teamComments.siteId), eq(projects.id, teamComments.projectId))

const selectComments = (tx: Tx) =>
  tx
    .select({
      comment: teamComments,
      author: users.login,
      resolver: resolvers.login,
      mentions: sql<CommentRecord['mentions']>`(
        select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', u.login) order by u.login), '[]') from team_mentions m
        join users u on u.site_id = m.site_id and u.id = m.user_id
        where m.site_id = ${teamComments.siteId} and m.comment_id = ${teamComments.id})`,
      former: sql<CommentRecord['former']>`(
        select coalesce(jsonb_agg(jsonb_build_object('body', v.body, 'writtenAt',
          to_char(v.written_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by v.version), '[]') from team_comment_versions v
        where v.site_id = ${teamComments.siteId} and v.comment_id = ${teamComments.id})`,
    })
    .from(teamComments)
    .leftJoin(projects, isOfProject)
    .leftJoin(users, and(eq(users.siteId, teamComments.siteId), eq(users.id, teamComments.authorId)))
    .leftJoin(resolvers, and(eq(resolvers.siteId, teamComments.siteId), eq(resolvers.id, teamComments.resolvedBy)))

const toRecord = ({ comment, ...names }: Awaited<ReturnType<typeof selectComments>>[number]): CommentRecord => ({ ...comment, ...names })

export const loadComments = (ctx: Ctx, ids: readonly string[]): Promise<CommentRecord[]> =>
  ctx.db.read(async (tx) => (await selectComments(tx).where(isVisible(ctx, inArray(teamComments.id, [...ids])))).map(toRecord))

const isOpen = and(isNull(teamComments.resolvedAt), isNull(teamComments.deletedAt))

/** Comments on what the viewer works on, with the number that is open. */
export function listComments(ctx: Ctx, { filter, sort, page }: ListQuery<typeof teamCommentShape>): Promise<ListResult<CommentRecord>> {
  const about = and(
    filter.targetKind && eq(teamComments.targetKind, filter.targetKind),
    filter.targetId ? eq(teamComments.targetId, filter.targetId) : undefined,
    filter.project ? eq(teamComments.projectId, filter.project) : undefined,
  )
  const state =
    filter.open === undefined ? undefined : filter.open ? isOpen : or(isNotNull(teamComments.resolvedAt), isNotNull(teamComments.deletedAt))
  return ctx.db.read(async (tx) => {
    const order = sort[0]?.descending ? desc : asc
    const rows = await selectComments(tx)
      .where(isVisible(ctx, and(about, state)))
      .orderBy(order(teamComments.createdAt), asc(teamComments.id))
      .limit(page.limit)
      .offset(page.offset)
    const countWhere = async (where: SQL | undefined) => {
      const [counted] = await tx.select({ total: count() }).from(teamComments).leftJoin(projects, isOfProject).where(isVisible(ctx, where))
      return counted?.total ?? 0
    }
    return { rows: rows.map(toRecord), total: await countWhere(and(about, state)), meta: { open: await countWhere(and(about, isOpen)) } }
  })
}

/** What colleagues said to each other since then about what the viewer works on. */
export async function countNewComments(ctx: Ctx, tx: Tx, since: Date): Promise<number> {
  const [counted] = await tx
    .select({ total: count() })
    .from(teamComments)
    .leftJoin(projects, isOfProject)
    .where(
      isVisible(
        ctx,
        and(
          isNull(teamComments.deletedAt),
          gte(teamComments.createdAt, since),
          sql`${teamComments.authorId} is distinct from ${findOwnId(ctx) ?? null}::uuid`,
        ),
      ),
    )
  return counted?.total ?? 0
}

export const canEditComment = (ctx: Ctx, { authorId, deletedAt }: Pick<CommentRow, 'authorId' | 'deletedAt'>): boolean =>
  deletedAt === null && authorId !== null && authorId === findOwnId(ctx)

/** @throws {AppError} `not-found`, `forbidden`; `invalid` with `may-not-see` at `/mentionIds` */
export function createComment(ctx: Ctx, input: CreateInput<typeof teamCommentShape>): Promise<string> {
  return ctx.db.tx(async (tx) => {
    const target = await requireTarget(ctx, tx, { kind: input.targetKind, id: input.targetId })
    const id = createId()
    await tx.insert(teamComments).values({
      siteId: ctx.site.id,
      id,
      targetKind: target.kind,
      targetId: target.id,
      projectId: target.projectId,
      authorId: findOwnId(ctx) ?? null,
      body: input.body,
      createdAt: ctx.now(),
    })
    await addMentions(ctx, tx, { id, body: input.body }, target, input.mentionIds ?? [])
    await recordOnComment(ctx, tx, id, target, 'team-comments.add')
    return id
  })
}

/**
 * Changes an own comment, or resolves or reopens anybody's.
 * @throws {AppError} `not-found`; `forbidden` for another person's words; `stale`; `conflict` once it is deleted; `invalid` with
 * `may-not-see` at `/mentionIds`
 */
export async function updateComment(
  ctx: Ctx,
  { id }: CommentRecord,
  input: UpdateInput<typeof teamCommentShape>,
  lockVersion: number,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const { row, target } = await lockComment(ctx, tx, id)
    if (row.deletedAt) throw new AppError('conflict')
    const isRewritten = input.body !== undefined || input.mentionIds !== undefined
    if (isRewritten && !canEditComment(ctx, row)) throw new AppError('forbidden')
    if (row.lockVersion !== lockVersion) throw new AppError('stale')
    const body = input.body ?? row.body
    if (body !== row.body) await keepVersion(tx, row)
    const isResolvedAnew = input.isResolved !== undefined && input.isResolved !== (row.resolvedAt !== null)
    await tx
      .update(teamComments)
      .set({
        lockVersion: row.lockVersion + 1,
        ...(body !== row.body && { body, editedAt: ctx.now() }),
        ...(isResolvedAnew && {
          resolvedAt: input.isResolved ? ctx.now() : null,
          resolvedBy: input.isResolved ? (findOwnId(ctx) ?? null) : null,
        }),
      })
      .where(isComment(ctx, id))
    if (input.mentionIds) await replaceMentions(ctx, tx, { id, body }, target, input.mentionIds)
    if (isRewritten) await recordOnComment(ctx, tx, id, target, 'team-comments.edit')
    if (isResolvedAnew) await recordOnComment(ctx, tx, id, target, input.isResolved ? 'team-comments.resolve' : 'team-comments.reopen')
  })
}

/** Empties an own comment, with what it said before. That there was one stays. @throws {AppError} `not-found`; `forbidden` for another person's */
export async function removeComment(ctx: Ctx, { id }: CommentRecord): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const { row, target } = await lockComment(ctx, tx, id)
    if (row.deletedAt) return
    if (!canEditComment(ctx, row)) throw new AppError('forbidden')
    await tx
      .update(teamComments)
      .set({ body: '', deletedAt: ctx.now(), lockVersion: row.lockVersion + 1 })
      .where(isComment(ctx, id))
    await tx.delete(teamCommentVersions).where(and(eq(teamCommentVersions.siteId, ctx.site.id), eq(teamCommentVersions.commentId, id)))
    await tx.delete(teamMentions).where(isMentionIn(ctx, id))
    await recordOnComment(ctx, tx, id, target, 'team-comments.delete')
  })
}

const isComment = (ctx: Ctx, id: string) => and(eq(teamComments.siteId, ctx.site.id), eq(teamComments.id, id))
const isMentionIn = (ctx: Ctx, id: string) => and(eq(teamMentions.siteId, ctx.site.id), eq(teamMentions.commentId, id))

async function lockComment(ctx: Ctx, tx: Tx, id: string): Promise<{ row: CommentRow; target: PlacedTarget }> {
  const [row] = await tx.select().from(teamComments).where(isComment(ctx, id)).for('update')
  if (!row) throw new AppError('not-found')
  return { row, target: await requireTarget(ctx, tx, { kind: row.targetKind, id: row.targetId }) }
}

const keepVersion = (tx: Tx, { siteId, id, lockVersion, body, editedAt, createdAt }: CommentRow) =>
  tx.insert(teamCommentVersions).values({ siteId, commentId: id, version: lockVersion, body, writtenAt: editedAt ?? createdAt })

/** Who is no longer mentioned is not told any more; who already was is not told again. */
async function replaceMentions(
  ctx: Ctx,
  tx: Tx,
  comment: { id: string; body: string },
  target: PlacedTarget,
  ids: readonly string[],
): Promise<void> {
  const before = await tx.select({ userId: teamMentions.userId }).from(teamMentions).where(isMentionIn(ctx, comment.id))
  const known = new Set(before.map(({ userId }) => userId))
  const gone = [...known].filter((id) => !ids.includes(id))
  if (gone.length > 0) await tx.delete(teamMentions).where(and(isMentionIn(ctx, comment.id), inArray(teamMentions.userId, gone)))
  await addMentions(
    ctx,
    tx,
    comment,
    target,
    ids.filter((id) => !known.has(id)),
  )
}

async function addMentions(
  ctx: Ctx,
  tx: Tx,
  comment: { id: string; body: string },
  target: PlacedTarget,
  ids: readonly string[],
): Promise<void> {
  const asked = [...new Set(ids)]
  if (asked.length === 0) return
  const permitted = new Set((await listColleagues(ctx, tx, target)).map(({ id }) => id))
  if (asked.some((id) => !permitted.has(id))) throw new AppError('invalid', { faults: [{ code: 'may-not-see', pointer: '/mentionIds' }] })
  await tx
    .insert(teamMentions)
    .values(asked.map((userId) => ({ siteId: ctx.site.id, commentId: comment.id, userId, mentionedAt: ctx.now() })))
  await mailMentions(ctx, tx, { ...comment, target, userIds: asked })
}

/** The trail says who commented on what, not what they said. */
const recordOnComment = (
  ctx: Ctx,
  tx: Tx,
  id: string,
  { kind, id: targetId, hubId, projectId }: PlacedTarget,
  action: `team-comments.${'add' | 'edit' | 'delete' | 'resolve' | 'reopen'}`,
): Promise<void> =>
  recordAudit(ctx, tx, { action, subject: { type: 'team-comments', id }, hubId, projectId, detail: { kind, target: targetId } })

/** For the file of a person's own data: what they wrote, and what was said about contributions of theirs, without who said it. */
export async function readOwnComments(tx: Tx, siteId: string, userId: string) {
  const own = eq(teamComments.authorId, userId)
  const rows = await tx
    .select({
      authorId: teamComments.authorId,
      targetKind: teamComments.targetKind,
      targetId: teamComments.targetId,
      body: teamComments.body,
      createdAt: teamComments.createdAt,
      editedAt: teamComments.editedAt,
      deletedAt: teamComments.deletedAt,
      former: sql<string[]>`array(select v.body from team_comment_versions v
        where v.site_id = ${teamComments.siteId} and v.comment_id = ${teamComments.id} order by v.version)`,
    })
    .from(teamComments)
    .where(
      and(
        eq(teamComments.siteId, siteId),
        or(
          own,
          sql`exists (select from contributions c where c.site_id = ${teamComments.siteId} and c.id = ${teamComments.contributionId} and c.author_id = ${userId})`,
        ),
      ),
    )
    .orderBy(asc(teamComments.createdAt))
  return rows.map(({ authorId, ...comment }) => ({ ...comment, own: authorId === userId }))
}

/** The same: where the person was mentioned, and which mails of the team they chose. */
export async function readOwnMentions(tx: Tx, siteId: string, userId: string) {
  return tx
    .select({ commentId: teamMentions.commentId, mentionedAt: teamMentions.mentionedAt })
    .from(teamMentions)
    .where(and(eq(teamMentions.siteId, siteId), eq(teamMentions.userId, userId)))
    .orderBy(asc(teamMentions.mentionedAt))
}
