import { and, asc, count, desc, eq, inArray, type SQL } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { activities, contributionNotes, contributions } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { type PlacedContribution, requireContributionFor } from '../record/loading.server.ts'
import type { contributionNoteShape } from './contribution-notes.api.schema.ts'

type NoteRow = typeof contributionNotes.$inferSelect

type NoteRecord = NoteRow & { author: string | null }

/** Only for those who may moderate the contribution. */
const isVisible = (ctx: Ctx, more: SQL | undefined): SQL | undefined =>
  and(
    eq(contributionNotes.siteId, ctx.site.id),
    scopeWhere(ctx.viewer, 'contributions.moderate', { hub: projects.hubId, project: projects.id }),
    more,
  )

const selectNotes = (tx: Tx) =>
  tx
    .select({ note: contributionNotes, author: users.login })
    .from(contributionNotes)
    .innerJoin(
      contributions,
      and(eq(contributions.siteId, contributionNotes.siteId), eq(contributions.id, contributionNotes.contributionId)),
    )
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .leftJoin(users, and(eq(users.siteId, contributionNotes.siteId), eq(users.id, contributionNotes.authorId)))

const toRecord = ({ note, author }: Awaited<ReturnType<typeof selectNotes>>[number]): NoteRecord => ({ ...note, author })

export const loadNotes = (ctx: Ctx, ids: readonly string[]): Promise<NoteRecord[]> =>
  ctx.db.read(async (tx) => (await selectNotes(tx).where(isVisible(ctx, inArray(contributionNotes.id, [...ids])))).map(toRecord))

export function listNotes(ctx: Ctx, { filter, sort, page }: ListQuery<typeof contributionNoteShape>): Promise<ListResult<NoteRecord>> {
  return ctx.db.read(async (tx) => {
    const where = isVisible(ctx, filter.contribution ? eq(contributionNotes.contributionId, filter.contribution) : undefined)
    const order = sort[0]?.descending === false ? asc : desc
    const rows = await selectNotes(tx)
      .where(where)
      .orderBy(order(contributionNotes.createdAt), asc(contributionNotes.id))
      .limit(page.limit)
      .offset(page.offset)
    const [counted] = await tx
      .select({ total: count() })
      .from(contributionNotes)
      .innerJoin(
        contributions,
        and(eq(contributions.siteId, contributionNotes.siteId), eq(contributions.id, contributionNotes.contributionId)),
      )
      .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
      .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
      .where(where)
    return { rows: rows.map(toRecord), total: counted?.total ?? 0 }
  })
}

export const isOwnNote = (ctx: Ctx, { authorId }: Pick<NoteRow, 'authorId'>): boolean => authorId !== null && authorId === findOwnId(ctx)

/** @throws {AppError} `not-found`, `forbidden` */
export function createNote(ctx: Ctx, { contribution, body }: CreateInput<typeof contributionNoteShape>): Promise<string> {
  return ctx.db.tx(async (tx) => {
    const placed = await requireContributionFor(ctx, tx, 'contributions.moderate', contribution)
    const id = createId()
    await tx
      .insert(contributionNotes)
      .values({ siteId: ctx.site.id, id, contributionId: contribution, authorId: findOwnId(ctx) ?? null, body, createdAt: ctx.now() })
    await recordOnNote(ctx, tx, placed, 'contributions.add-note')
    return id
  })
}

/** Changes an own note. @throws {AppError} `not-found`; `forbidden` for another person's; `stale` */
export async function updateNote(
  ctx: Ctx,
  { id }: NoteRecord,
  { body }: UpdateInput<typeof contributionNoteShape>,
  lockVersion: number,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const { row, placed } = await lockOwnNote(ctx, tx, id)
    if (row.lockVersion !== lockVersion) throw new AppError('stale')
    if (body === undefined || body === row.body) return
    await tx
      .update(contributionNotes)
      .set({ body, editedAt: ctx.now(), lockVersion: row.lockVersion + 1 })
      .where(and(eq(contributionNotes.siteId, ctx.site.id), eq(contributionNotes.id, id)))
    await recordOnNote(ctx, tx, placed, 'contributions.edit-note')
  })
}

/** Deletes an own note. @throws {AppError} `not-found`; `forbidden` for another person's */
export async function removeNote(ctx: Ctx, { id }: NoteRecord): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const { placed } = await lockOwnNote(ctx, tx, id)
    await tx.delete(contributionNotes).where(and(eq(contributionNotes.siteId, ctx.site.id), eq(contributionNotes.id, id)))
    await recordOnNote(ctx, tx, placed, 'contributions.delete-note')
  })
}

async function lockOwnNote(ctx: Ctx, tx: Tx, id: string): Promise<{ row: NoteRow; placed: PlacedContribution }> {
  const [row] = await tx
    .select()
    .from(contributionNotes)
    .where(and(eq(contributionNotes.siteId, ctx.site.id), eq(contributionNotes.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  const placed = await requireContributionFor(ctx, tx, 'contributions.moderate', row.contributionId)
  if (!isOwnNote(ctx, row)) throw new AppError('forbidden')
  return { row, placed }
}

/** The trail says who noted something about what, not what. */
const recordOnNote = (
  ctx: Ctx,
  tx: Tx,
  { contribution, project }: PlacedContribution,
  action: `contributions.${'add-note' | 'edit-note' | 'delete-note'}`,
): Promise<void> =>
  recordAudit(ctx, tx, {
    action,
    subject: { type: 'contributions', id: contribution.id },
    hubId: project.hubId,
    projectId: project.id,
    detail: { number: contribution.number },
  })
