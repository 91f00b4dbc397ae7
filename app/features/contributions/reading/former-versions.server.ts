import { and, desc, eq, ne } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributionVersions } from '#app/server/db/schema/contributions.ts'
import { describeFields } from '../fields/fields.server.ts'
import type { ContributionView } from '../record/contributions.schema.ts'
import type { PlacedContribution } from '../record/loading.server.ts'

type VersionRow = typeof contributionVersions.$inferSelect

/** What a contribution said before, as far as it was public, the newest first. */
export const loadFormerVersions = (ctx: Ctx, tx: Tx, row: PlacedContribution['contribution']): Promise<VersionRow[]> =>
  tx
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

export const toFormerVersionViews = (
  ctx: Ctx,
  activity: PlacedContribution['activity'],
  versions: readonly VersionRow[],
): ContributionView['versions'] =>
  versions.map(({ id, number, title, body, fields, createdAt }) => ({
    id,
    number,
    title,
    body,
    fields: describeFields(ctx, activity, fields, { staff: false }),
    at: createdAt.toISOString(),
  }))
