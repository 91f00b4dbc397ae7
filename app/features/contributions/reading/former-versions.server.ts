import { and, desc, eq, ne } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributionVersions } from '#app/server/db/schema/contributions.ts'
import type { ContributionRow } from './loading.server.ts'

/** What a contribution said before, as far as it was public. */
export async function loadFormerVersions(ctx: Ctx, tx: Tx, row: ContributionRow) {
  const found = await tx
    .select()
    .from(contributionVersions)
    .where(
      and(
        eq(contributionVersions.siteId, ctx.site.id),
        eq(contributionVersions.contributionId, row.id),
        ne(contributionVersions.number, row.version),
        eq(contributionVersions.wasPublic, true),
      ),
    )
    .orderBy(desc(contributionVersions.number))
    .limit(50)
  return found.map(({ number, title, body, createdAt }) => ({ number, title, body, at: createdAt.toISOString() }))
}
