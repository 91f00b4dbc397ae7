import { and, asc, eq } from 'drizzle-orm'
import { requireVisibleProject } from '#app/features/projects/projects.policy.server.ts'
import { requireProjectBySlug } from '#app/features/projects/projects.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { projectDates } from '#app/server/db/schema/projects.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { createRefusedFileResponse } from '#app/server/refused-file.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { createCalendarResponse } from './calendar-file.server.ts'
import type { WrittenDate } from './write-calendar.server.ts'

/**
 * The key dates that the project's page shows; without any, when it opens and closes.
 * @throws {AppError} `not-found`, also for drafts and hidden projects; `gone`
 */
export async function buildProjectDates(ctx: Ctx, slug: string): Promise<Response> {
  const { site, language } = ctx
  const { project, dates } = await ctx.db.read(async (tx) => {
    const found = await requireProjectBySlug(ctx, tx, slug)
    const { preview } = await requireVisibleProject(ctx, tx, found)
    if (preview) throw new AppError('not-found')
    const rows = await tx
      .select()
      .from(projectDates)
      .where(and(eq(projectDates.siteId, site.id), eq(projectDates.projectId, found.id)))
      .orderBy(asc(projectDates.happensAt), asc(projectDates.id))
    return { project: found, dates: rows }
  })
  const localise = (text: Translated) => getTranslation(text, language, site.locale)
  const t = getTranslator(language, 'participant')
  const title = localise(project.title)
  const path = `/projects/${project.slug}`
  const url = buildSiteUrl(ctx, language === site.locale ? path : `/${language}${path}`)
  const toDate = (date: {
    id: string
    summary: string
    description?: string
    happensAt: Date
    precision: WrittenDate['precision']
  }): WrittenDate => ({
    id: date.id,
    summary: `${date.summary} · ${title}`,
    ...(date.description && { description: date.description }),
    url,
    day: toCalendarDay(site.timeZone, date.happensAt),
    at: date.precision === 'time' ? date.happensAt.toISOString() : null,
    precision: date.precision,
  })
  const toOpening = (event: 'opens' | 'closes', at: Date | null) =>
    at ? [toDate({ id: `project-${event}-${project.id}`, summary: t(`project.${event}`), happensAt: at, precision: 'day' })] : []
  return createCalendarResponse(ctx, {
    name: title,
    fileName: `${project.slug}.ics`,
    dates:
      dates.length > 0
        ? dates.map((row) =>
            toDate({ ...row, id: `key-date-happens-${row.id}`, summary: localise(row.title), description: localise(row.detail) }),
          )
        : [...toOpening('opens', project.opensAt), ...toOpening('closes', project.closesAt)],
  })
}

export async function serveProjectDates({
  context: { ctx },
  params,
}: {
  context: RequestContext
  params: { slug: string }
}): Promise<Response> {
  try {
    return await buildProjectDates(ctx, params.slug)
  } catch (error) {
    return createRefusedFileResponse(ctx, error)
  }
}
