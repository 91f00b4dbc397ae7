import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { savedViews } from '#app/server/db/schema/administration.ts'
import { refuseDuplicate } from '#app/server/save-checks.ts'
import { MAX_VIEWS, type SavedTable } from './saved-views.schema.ts'

type ViewRow = typeof savedViews.$inferSelect

/**
 * Saves a view of a table for somebody who administers something on this site.
 * @throws {AppError} `unauthenticated`, `forbidden`; `invalid` with `taken`, `too-many`, or `required` if the survey of a response table is
 * missing
 */
export async function saveView(
  ctx: Ctx,
  input: { table: SavedTable; name: string; query: string; surveyId: string | null },
): Promise<string> {
  const viewer = requireAdministrator(ctx)
  const { table, name, query, surveyId } = input
  if ((table === 'responses') !== (surveyId !== null)) {
    throw new AppError('invalid', { faults: [{ code: surveyId === null ? 'required' : 'not-a-choice', pointer: '/survey' }] })
  }
  const id = createId()
  const siteId = ctx.site.id
  await refuseDuplicate('/name', () =>
    ctx.db.tx(async (tx) => {
      const [kept] = await tx
        .select({ total: count() })
        .from(savedViews)
        .where(and(isOwn(ctx), isOfTable({ table, survey: surveyId ?? undefined })))
      if ((kept?.total ?? 0) >= MAX_VIEWS)
        throw new AppError('invalid', { faults: [{ code: 'too-many', pointer: '/name', values: { max: MAX_VIEWS } }] })
      await tx.insert(savedViews).values({ siteId, id, userId: viewer.id, table, surveyId, name, query, createdAt: ctx.now() })
      await recordAudit(ctx, tx, { action: 'saved-views.create', subject: { type: 'saved-views', id }, detail: { table, name } })
    }),
  )
  return id
}

/** Renames a view or changes what it shows. @throws {AppError} `invalid` with `taken` */
export async function changeView(ctx: Ctx, row: ViewRow, input: { name?: string | undefined; query?: string | undefined }): Promise<void> {
  const saved = { ...(input.name === undefined ? {} : { name: input.name }), ...(input.query === undefined ? {} : { query: input.query }) }
  if (Object.keys(saved).length === 0) return
  await refuseDuplicate('/name', () =>
    ctx.db.tx(async (tx) => {
      await tx
        .update(savedViews)
        .set(saved)
        .where(and(isOwn(ctx), eq(savedViews.id, row.id)))
      const changes = listChanges<ViewRow>(row, saved)
      await recordAudit(ctx, tx, { action: 'saved-views.update', subject: { type: 'saved-views', id: row.id }, changes })
    }),
  )
}

export async function removeView(ctx: Ctx, { id, table, name }: ViewRow): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await tx.delete(savedViews).where(and(isOwn(ctx), eq(savedViews.id, id)))
    await recordAudit(ctx, tx, { action: 'saved-views.delete', subject: { type: 'saved-views', id }, detail: { table, name } })
  })
}

/** The viewer's own views by name; none for guests of the site. @throws {AppError} `unauthenticated` */
export async function listViews(
  ctx: Ctx,
  query: { table?: SavedTable | undefined; survey?: string | undefined; page: { limit: number; offset: number } },
): Promise<{ rows: ViewRow[]; total: number }> {
  if (ctx.viewer.kind !== 'user') throw new AppError('unauthenticated')
  const where = and(isOwn(ctx), isOfTable(query))
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(savedViews).where(where)
    const rows = await tx
      .select()
      .from(savedViews)
      .where(where)
      .orderBy(asc(collateFor(ctx.language, savedViews.name)), asc(savedViews.id))
      .limit(query.page.limit)
      .offset(query.page.offset)
    return { rows, total: counted?.total ?? 0 }
  })
}

export const loadOwnViewsById = (ctx: Ctx, ids: readonly string[]): Promise<ViewRow[]> =>
  ctx.db.read((tx) =>
    tx
      .select()
      .from(savedViews)
      .where(and(isOwn(ctx), inArray(savedViews.id, [...ids]))),
  )

const isOwn = ({ site, viewer }: Ctx): SQL | undefined =>
  viewer.kind === 'user' ? and(eq(savedViews.siteId, site.id), eq(savedViews.userId, viewer.id)) : sql`false`

const isOfTable = ({ table, survey }: { table?: SavedTable | undefined; survey?: string | undefined }): SQL | undefined =>
  and(table && eq(savedViews.table, table), survey === undefined ? undefined : eq(savedViews.surveyId, survey))

/** Requires an account of this site with a role in it: guests from the platform cannot save anything here. */
function requireAdministrator({ viewer, site }: Ctx): SignedInViewer {
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  if (viewer.roles.length === 0 || viewer.siteId !== site.id) throw new AppError('forbidden')
  return viewer
}

/** For people's own data. */
export const readOwnSavedViews = (tx: Tx, siteId: string, userId: string) =>
  tx
    .select({ table: savedViews.table, name: savedViews.name, query: savedViews.query, createdAt: savedViews.createdAt })
    .from(savedViews)
    .where(and(eq(savedViews.siteId, siteId), eq(savedViews.userId, userId)))
    .orderBy(asc(savedViews.createdAt))
