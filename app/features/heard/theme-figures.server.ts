import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { themes } from '#app/server/db/schema/heard.ts'
import type { ThemeFigures } from './heard.schema.ts'

export type ThemeRow = typeof themes.$inferSelect

export const loadProjectThemes = (ctx: Ctx, tx: Tx, projectId: string): Promise<ThemeRow[]> =>
  tx
    .select()
    .from(themes)
    .where(and(eq(themes.siteId, ctx.site.id), eq(themes.projectId, projectId)))
    .orderBy(asc(themes.position), asc(themes.createdAt), asc(themes.id))

type Links = Pick<ThemeRow, 'id' | 'mergedInto'>

/** By theme, the one that it was merged into in the end: itself if it was not. */
export function resolveMerges(rows: readonly Links[]): Map<string, string> {
  const into = new Map(rows.map(({ id, mergedInto }) => [id, mergedInto]))
  const findEnd = (id: string, steps = rows.length): string => {
    const next = into.get(id)
    return next && steps > 0 ? findEnd(next, steps - 1) : id
  }
  return new Map(rows.map(({ id }) => [id, findEnd(id)]))
}

/** Evidence `e` whose words still count and can be read, with the person who wrote them. */
export const LIVE_EVIDENCE: SQL = sql`theme_evidence e
  left join responses r on r.site_id = e.site_id and r.id = e.response_id and r.withdrawn_at is null and r.counted
  left join contributions c on c.site_id = e.site_id and c.id = e.contribution_id and c.state in ('published', 'merged')
  left join replies p on p.site_id = e.site_id and p.id = e.reply_id and p.state = 'published'`
export const IS_LIVE: SQL = sql`coalesce(r.id, c.id, p.id) is not null`
export const PERSON: SQL = sql`coalesce(r.user_id, r.id, c.author_id, c.id, p.author_id, p.id)`

/**
 * Confirmed evidence by theme, with what was merged into it. One person is counted once, however often they said it.
 * @param more condition on the evidence `e`
 */
export async function countThemes(
  ctx: Ctx,
  tx: Tx,
  projectId: string,
  rows: readonly Links[],
  more: SQL = sql`true`,
): Promise<Map<string, ThemeFigures>> {
  const ends = JSON.stringify(Object.fromEntries(resolveMerges(rows)))
  const { rows: counted } = await tx.execute<{ theme: string; people: number; passages: number }>(sql`
    select m.theme, count(distinct ${PERSON})::int as people, count(*)::int as passages
    from ${LIVE_EVIDENCE} join jsonb_each_text(${ends}::jsonb) m(coded, theme) on m.coded::uuid = e.theme_id
    where e.site_id = ${ctx.site.id} and e.project_id = ${projectId} and e.state = 'confirmed' and ${IS_LIVE} and ${more}
    group by m.theme`)
  return new Map(counted.map(({ theme, people, passages }) => [theme, { people, passages }]))
}
