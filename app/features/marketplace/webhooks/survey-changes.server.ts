import { and, eq, isNotNull } from 'drizzle-orm'
import { isOpenSql } from '#app/features/surveys/surveys.state.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { installations, webhookWatches } from '#app/server/db/schema/marketplace.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import type { InstallationRow } from '../installations.server.ts'
import { type Happening, recordEvents } from './webhook-events.server.ts'

/** Records surveys that have opened or closed since the last check. The first check after enabling webhooks only takes the baseline. */
export async function recordSurveyChanges(ctx: Ctx, { id }: Pick<InstallationRow, 'id'>): Promise<void> {
  const now = ctx.now()
  const { site } = ctx
  await ctx.db.tx(async (tx) => {
    // Lock the row, so that concurrent checks do not record the same change twice.
    const [row] = await tx
      .select({ enabledAt: installations.enabledAt })
      .from(installations)
      .where(and(eq(installations.siteId, site.id), eq(installations.id, id), isNotNull(installations.enabledAt)))
      .for('update')
    if (!row?.enabledAt) return
    const [before] = await tx
      .select()
      .from(webhookWatches)
      .where(and(eq(webhookWatches.siteId, site.id), eq(webhookWatches.installationId, id)))
    const known = before?.enabledAt.getTime() === row.enabledAt.getTime() ? new Set(before.openSurveys) : undefined
    const seen = await tx
      .select({
        id: surveys.id,
        title: surveys.title,
        slug: surveys.slug,
        isOpen: isOpenSql(now),
        project: { id: projects.id, slug: projects.slug },
      })
      .from(surveys)
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(eq(surveys.siteId, site.id))
    const open = seen.filter((survey) => survey.isOpen)
    if (known) {
      const toHappening = (survey: (typeof seen)[number]): Happening => ({
        subjectId: survey.id,
        data: {
          survey: survey.id,
          project: survey.project.id,
          title: survey.title,
          url: buildSiteUrl(ctx, `/projects/${survey.project.slug}/surveys/${survey.slug}`),
        },
      })
      const opened = open.filter((survey) => !known.has(survey.id))
      const closed = seen.filter((survey) => !survey.isOpen && known.has(survey.id))
      await recordEvents(tx, site.id, 'survey.opened', now, opened.map(toHappening))
      await recordEvents(tx, site.id, 'survey.closed', now, closed.map(toHappening))
      if (opened.length === 0 && open.length === known.size) return
    }
    const openSurveys = open.map((survey) => survey.id)
    await tx
      .insert(webhookWatches)
      .values({ siteId: site.id, installationId: id, enabledAt: row.enabledAt, openSurveys })
      .onConflictDoUpdate({
        target: [webhookWatches.siteId, webhookWatches.installationId],
        set: { enabledAt: row.enabledAt, openSurveys },
      })
  })
}
