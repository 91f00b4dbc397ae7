import { and, asc, count, desc, eq, getTableColumns, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { decide, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema.ts'
import { isPublished, type RevisionKind, type RevisionRow } from './revisions.server.ts'

/** A revision with the name of who made it. */
export interface SeenRevision extends RevisionRow {
  author: string | null
}

interface ListQuery {
  published?: boolean | undefined
  hub?: string | undefined
  ofSite?: boolean | undefined
  sort: readonly { by: 'createdAt' | 'publishedAt'; descending: boolean }[]
  page: { limit: number; offset: number }
}

/** Drafts of what the viewer edits: the site's, or that of a hub of theirs. */
function draftsOf({ viewer }: Ctx, { table, subject }: RevisionKind): SQL {
  const ofSite = decide(viewer, 'site.edit').ok ? isNull(table.hubId) : sql`false`
  if (subject === 'appearance') return ofSite
  const ofHubs = and(isNotNull(table.hubId), scopeWhere(viewer, 'hubs.edit-homepage', { hub: table.hubId }))
  return or(ofSite, ofHubs) ?? ofSite
}

const seenWhere = (ctx: Ctx, kind: RevisionKind) => and(eq(kind.table.siteId, ctx.site.id), or(isPublished(ctx, kind), draftsOf(ctx, kind)))

/** Those of the named revisions that the viewer may see: published ones for everybody. */
export function seenRevisions(ctx: Ctx, kind: RevisionKind, ids: readonly string[]): Promise<SeenRevision[]> {
  return select(ctx, kind, and(seenWhere(ctx, kind), inArray(kind.table.id, [...ids])))
}

/** A page of the revisions that the viewer may see. */
export async function listRevisions(ctx: Ctx, kind: RevisionKind, query: ListQuery): Promise<{ rows: SeenRevision[]; total: number }> {
  const { table } = kind
  const published = isPublished(ctx, kind)
  const where = and(
    seenWhere(ctx, kind),
    query.published === undefined ? undefined : query.published ? published : sql`(${published}) is not true`,
    query.hub ? eq(table.hubId, query.hub) : undefined,
    query.ofSite === undefined ? undefined : query.ofSite ? isNull(table.hubId) : isNotNull(table.hubId),
  )
  const [counted] = await ctx.db.tx((tx) => tx.select({ total: count() }).from(table).where(where))
  const order = query.sort.map(({ by, descending }) => (descending ? desc : asc)(table[by]))
  return { rows: await select(ctx, kind, where, order, query.page), total: counted?.total ?? 0 }
}

async function select(
  ctx: Ctx,
  { table }: RevisionKind,
  where: SQL | undefined,
  order: SQL[] = [],
  page = { limit: 1000, offset: 0 },
): Promise<SeenRevision[]> {
  const rows = await ctx.db.tx((tx) =>
    tx
      .select({ ...getTableColumns(table), author: users.login })
      .from(table)
      .leftJoin(users, and(eq(users.siteId, table.siteId), eq(users.id, table.createdBy)))
      .where(where)
      .orderBy(...order, desc(table.id))
      .limit(page.limit)
      .offset(page.offset),
  )
  return rows
}
