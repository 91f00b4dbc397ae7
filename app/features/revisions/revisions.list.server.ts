import { and, asc, count, desc, eq, getTableColumns, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { isEditableDraft } from './revisions.policy.server.ts'
import { isPublished, type RevisionHistory, type RevisionRow } from './revisions.server.ts'
import { isKeptByThinning } from './thin-revisions.server.ts'

export interface AuthoredRevision extends RevisionRow {
  author: string | null
}

interface RevisionsQuery {
  published?: boolean | undefined
  /** The hub, project or survey. */
  place?: string | undefined
  stepsBefore?: string | undefined
  ofSite?: boolean | undefined
  sort: readonly { by: 'createdAt' | 'publishedAt'; descending: boolean }[]
  page: { limit: number; offset: number }
}

/** A project's own page shows what is published of it, and a survey's its questions, so their versions are for their editors only. */
const isVisible = (ctx: Ctx, kind: RevisionHistory) => {
  const isForEverybody = kind.subject === 'homepage' || kind.subject === 'appearance'
  return and(eq(kind.table.siteId, ctx.site.id), or(isForEverybody ? isPublished(ctx, kind) : undefined, isEditableDraft(ctx, kind)))
}

/** The given revisions, limited to those the viewer may see: everybody sees published ones of pages and the look. */
export function loadVisibleRevisions(ctx: Ctx, kind: RevisionHistory, ids: readonly string[]): Promise<AuthoredRevision[]> {
  return selectRevisions(ctx, kind, and(isVisible(ctx, kind), inArray(kind.table.id, [...ids])))
}

/** @param content what to select of the content, if not all of it */
export async function listRevisions(
  ctx: Ctx,
  kind: RevisionHistory,
  query: RevisionsQuery,
  content?: SQL,
): Promise<{ rows: AuthoredRevision[]; total: number }> {
  const { table } = kind
  const published = isPublished(ctx, kind)
  const where = and(
    isVisible(ctx, kind),
    query.published === undefined ? undefined : query.published ? published : sql`(${published}) is not true`,
    query.place ? eq(table.placeId, query.place) : undefined,
    query.stepsBefore === undefined ? undefined : and(lt(table.createdAt, new Date(query.stepsBefore)), isKeptByThinning(table)),
    query.ofSite === undefined ? undefined : query.ofSite ? isNull(table.placeId) : isNotNull(table.placeId),
  )
  const [counted] = await ctx.db.read((tx) => tx.select({ total: count() }).from(table).where(where))
  const order = query.sort.map(({ by, descending }) => (descending ? desc : asc)(table[by]))
  return { rows: await selectRevisions(ctx, kind, where, { order, page: query.page, content }), total: counted?.total ?? 0 }
}

async function selectRevisions(
  ctx: Ctx,
  { table }: RevisionHistory,
  where: SQL | undefined,
  {
    order = [],
    page = { limit: 1000, offset: 0 },
    content,
  }: { order?: SQL[]; page?: RevisionsQuery['page']; content?: SQL | undefined } = {},
): Promise<AuthoredRevision[]> {
  const rows = await ctx.db.read((tx) =>
    tx
      .select({ ...getTableColumns(table), ...(content && { content }), author: users.login })
      .from(table)
      .leftJoin(users, and(eq(users.siteId, table.siteId), eq(users.id, table.createdBy)))
      .where(where)
      .orderBy(...order, desc(table.id))
      .limit(page.limit)
      .offset(page.offset),
  )
  return rows
}
