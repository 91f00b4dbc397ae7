import { and, desc, eq, ne } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributionVersions } from '#app/server/db/schema/contributions.ts'
import { describeFields } from '../fields/fields.server.ts'
import type { PlacedContribution } from '../record/loading.server.ts'

/** What a contribution said before, as far as it was public. */
export async function loadFormerVersions(
  ctx: Ctx,
  tx: Tx,
  { activity, contribution: row }: Pick<PlacedContribution, 'activity' | 'contribution'>,
) {
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
  return found.map(({ number, title, body, fields, createdAt }) => ({
    number,
    title,
    body,
    fields: describeFields(ctx, activity, fields, { staff: false }),
    at: createdAt.toISOString(),
  }))
}
