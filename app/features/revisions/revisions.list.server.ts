import { and, asc, count, desc, eq, getTableColumns, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { isPublished, type RevisionKind, type RevisionRow } from './revisions.server.ts'

export interface AuthoredRevision extends RevisionRow {
  author: string | null
}

interface RevisionsQuery {
  published?: boolean | undefined
  hub?: string | undefined
  ofSite?: boolean | undefined
  sort: readonly { by: 'createdAt' | 'publishedAt'; descending: boolean }[]
  page: { limit: number; offset: number }
}

/** Drafts of what the viewer edits: the site's, or those of their hubs. */
function isEditableDraft({ viewer }: Ctx, { table, subject }: RevisionKind): SQL {
  const ofSite = checkPermission(viewer, 'site.edit').ok ? isNull(table.hubId) : sql`false`
  if (subject === 'appearance') return ofSite
  const ofHubs = and(isNotNull(table.hubId), scopeWhere(viewer, 'hubs.edit-homepage', { hub: table.hubId }))
  return or(ofSite, ofHubs) ?? ofSite
}

const isVisible = (ctx: Ctx, kind: RevisionKind) =>
  and(eq(kind.table.siteId, ctx.site.id), or(isPublished(ctx, kind), isEditableDraft(ctx, kind)))

/** The given revisions, limited to those the viewer may see: everybody sees published ones. */
export function loadVisibleRevisions(ctx: Ctx, kind: RevisionKind, ids: readonly string[]): Promise<AuthoredRevision[]> {
  return selectRevisions(ctx, kind, and(isVisible(ctx, kind), inArray(kind.table.id, [...ids])))
}

export async function listRevisions(
  ctx: Ctx,
  kind: RevisionKind,
  query: RevisionsQuery,
): Promise<{ rows: AuthoredRevision[]; total: number }> {
  const { table } = kind
  const published = isPublished(ctx, kind)
  const where = and(
    isVisible(ctx, kind),
    query.published === undefined ? undefined : query.published ? published : sql`(${published}) is not true`,
    query.hub ? eq(table.hubId, query.hub) : undefined,
    query.ofSite === undefined ? undefined : query.ofSite ? isNull(table.hubId) : isNotNull(table.hubId),
  )
  const [counted] = await ctx.db.read((tx) => tx.select({ total: count() }).from(table).where(where))
  const order = query.sort.map(({ by, descending }) => (descending ? desc : asc)(table[by]))
  return { rows: await selectRevisions(ctx, kind, where, order, query.page), total: counted?.total ?? 0 }
}

async function selectRevisions(
  ctx: Ctx,
  { table }: RevisionKind,
  where: SQL | undefined,
  order: SQL[] = [],
  page = { limit: 1000, offset: 0 },
): Promise<AuthoredRevision[]> {
  const rows = await ctx.db.read((tx) =>
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
