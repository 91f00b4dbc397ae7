import { and, asc, count, desc, eq, inArray, ne, or, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { buildManagedPeopleCondition, loadPeopleById, requirePeopleManager } from '#app/features/accounts/people.list.server.ts'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import { type Ctx, findOwnId, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { personNotes, users } from '#app/server/db/schema/accounts.ts'
import type { personNoteShape } from './person-notes.api.schema.ts'

type NoteRow = typeof personNotes.$inferSelect

type NoteRecord = NoteRow & { author: string | null }

const authors = alias(users, 'authors')

const managesEverybody = (ctx: Ctx): boolean => checkPermission(ctx.viewer, 'participants.manage', { hubId: null }).ok

/**
 * Notes about the people whom the viewer manages, and may read. Those about the viewer are only for who manages everybody: others get them with
 * their own data.
 * @throws {AppError} `unauthenticated`, `forbidden`
 */
function buildReadableCondition(ctx: Ctx, more: SQL | undefined): SQL | undefined {
  const viewer = requirePeopleManager(ctx.viewer)
  return and(
    eq(personNotes.siteId, ctx.site.id),
    buildManagedPeopleCondition(ctx, viewer),
    managesEverybody(ctx)
      ? undefined
      : and(ne(personNotes.userId, viewer.id), or(eq(personNotes.readBy, 'people-managers'), eq(personNotes.authorId, viewer.id))),
    more,
  )
}

const isAboutUser = and(eq(users.siteId, personNotes.siteId), eq(users.id, personNotes.userId))

const selectNotes = (tx: Tx) =>
  tx
    .select({ note: personNotes, author: authors.login })
    .from(personNotes)
    .innerJoin(users, isAboutUser)
    .leftJoin(authors, and(eq(authors.siteId, personNotes.siteId), eq(authors.id, personNotes.authorId)))

const toRecord = ({ note, author }: Awaited<ReturnType<typeof selectNotes>>[number]): NoteRecord => ({ ...note, author })

/** @throws {AppError} `unauthenticated`, `forbidden` */
export const loadNotes = (ctx: Ctx, ids: readonly string[]): Promise<NoteRecord[]> =>
  ctx.db.read(async (tx) => (await selectNotes(tx).where(buildReadableCondition(ctx, inArray(personNotes.id, [...ids])))).map(toRecord))

/** @throws {AppError} `unauthenticated`, `forbidden` */
export function listNotes(ctx: Ctx, { filter, sort, page }: ListQuery<typeof personNoteShape>): Promise<ListResult<NoteRecord>> {
  const where = buildReadableCondition(ctx, filter.user ? eq(personNotes.userId, filter.user) : undefined)
  const order = sort[0]?.descending === false ? asc : desc
  return ctx.db.read(async (tx) => {
    const rows = await selectNotes(tx)
      .where(where)
      .orderBy(order(personNotes.createdAt), asc(personNotes.id))
      .limit(page.limit)
      .offset(page.offset)
    const [counted] = await tx.select({ total: count() }).from(personNotes).innerJoin(users, isAboutUser).where(where)
    return { rows: rows.map(toRecord), total: counted?.total ?? 0 }
  })
}

export const isOwnNote = (ctx: Ctx, { authorId }: Pick<NoteRow, 'authorId'>): boolean => authorId !== null && authorId === findOwnId(ctx)

/** @throws {AppError} `unauthenticated`, `forbidden`, `not-found` for people whom the viewer does not manage */
export function createNote(ctx: Ctx, { user, body, readBy = 'people-managers' }: CreateInput<typeof personNoteShape>): Promise<string> {
  return ctx.db.tx(async (tx) => {
    await requireManagedPerson(ctx, tx, user)
    const id = createId()
    await tx
      .insert(personNotes)
      .values({ siteId: ctx.site.id, id, userId: user, authorId: findOwnId(ctx) ?? null, body, readBy, createdAt: ctx.now() })
    await recordOnNote(ctx, tx, user, 'users.add-note')
    return id
  })
}

/** Changes an own note. @throws {AppError} `not-found`; `forbidden` for another person's; `stale` */
export async function updateNote(
  ctx: Ctx,
  { id }: NoteRecord,
  { body, readBy }: UpdateInput<typeof personNoteShape>,
  lockVersion: number,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const row = await lockOwnNote(ctx, tx, id)
    if (row.lockVersion !== lockVersion) throw new AppError('stale')
    const next = { body: body ?? row.body, readBy: readBy ?? row.readBy }
    if (next.body === row.body && next.readBy === row.readBy) return
    await tx
      .update(personNotes)
      .set({ ...next, editedAt: ctx.now(), lockVersion: row.lockVersion + 1 })
      .where(and(eq(personNotes.siteId, ctx.site.id), eq(personNotes.id, id)))
    await recordOnNote(ctx, tx, row.userId, 'users.edit-note')
  })
}

/** Deletes an own note. @throws {AppError} `not-found`; `forbidden` for another person's */
export async function removeNote(ctx: Ctx, { id }: NoteRecord): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const { userId } = await lockOwnNote(ctx, tx, id)
    await tx.delete(personNotes).where(and(eq(personNotes.siteId, ctx.site.id), eq(personNotes.id, id)))
    await recordOnNote(ctx, tx, userId, 'users.delete-note')
  })
}

async function lockOwnNote(ctx: Ctx, tx: Tx, id: string): Promise<NoteRow> {
  const [row] = await tx
    .select()
    .from(personNotes)
    .where(and(eq(personNotes.siteId, ctx.site.id), eq(personNotes.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  await requireManagedPerson(ctx, tx, row.userId)
  if (!isOwnNote(ctx, row)) throw new AppError('forbidden')
  return row
}

async function requireManagedPerson(ctx: Ctx, tx: Tx, userId: string): Promise<void> {
  requirePeopleManager(ctx.viewer)
  // Everybody can load their own account, also who manages only the people of a hub.
  const isSelf = userId === findOwnId(ctx) && !managesEverybody(ctx)
  const [person] = isSelf ? [] : await loadPeopleById(withTx(ctx, tx), [userId])
  if (!person) throw new AppError('not-found')
}

/** The trail says who noted something about whom, not what. */
const recordOnNote = (ctx: Ctx, tx: Tx, userId: string, action: AuditAction): Promise<void> =>
  recordAudit(ctx, tx, { action, subject: { type: 'users', id: userId } })

/** For the file of a person's own data: notes about them, without who wrote them, and those that they wrote, without whom they are about. */
export async function readOwnPersonNotes(tx: Tx, siteId: string, userId: string) {
  const rows = await tx
    .select({
      authorId: personNotes.authorId,
      body: personNotes.body,
      readBy: personNotes.readBy,
      createdAt: personNotes.createdAt,
      editedAt: personNotes.editedAt,
    })
    .from(personNotes)
    .where(and(eq(personNotes.siteId, siteId), or(eq(personNotes.userId, userId), eq(personNotes.authorId, userId))))
    .orderBy(asc(personNotes.createdAt))
  return rows.map(({ authorId, ...note }) => ({ ...note, own: authorId === userId }))
}
