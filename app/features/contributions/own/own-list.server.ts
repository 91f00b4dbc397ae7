import { and, count, desc, eq } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { CONTRIBUTIONS_PER_PAGE, type OwnContributionEntry } from '../record/contributions.schema.ts'

/** What the viewer sent with their account, the newest first. @throws {AppError} `unauthenticated` */
export async function listOwnContributions(ctx: Ctx, page: number): Promise<{ rows: OwnContributionEntry[]; total: number }> {
  const { viewer, site } = ctx
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  return ctx.db.read(async (tx) => {
    const own = and(eq(contributions.siteId, site.id), eq(contributions.authorId, viewer.id))
    const [counted] = await tx.select({ total: count() }).from(contributions).where(own)
    const rows = await tx
      .select({
        id: contributions.id,
        number: contributions.number,
        title: contributions.title,
        language: contributions.language,
        state: contributions.state,
        answered: contributions.answered,
        submittedAt: contributions.submittedAt,
        activity: { slug: activities.slug, title: activities.title },
        project: projects.slug,
      })
      .from(contributions)
      .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
      .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
      .where(own)
      .orderBy(desc(contributions.submittedAt), desc(contributions.id))
      .limit(CONTRIBUTIONS_PER_PAGE)
      .offset((page - 1) * CONTRIBUTIONS_PER_PAGE)
    return {
      rows: rows.map(({ activity, submittedAt, ...row }) => ({
        ...row,
        activity: { slug: activity.slug, title: localiseText(activity.title, ctx.contentLanguage, site.locale) },
        submittedAt: submittedAt.toISOString(),
      })),
      total: counted?.total ?? 0,
    }
  })
}
