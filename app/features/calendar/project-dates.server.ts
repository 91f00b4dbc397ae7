import { and, asc, eq } from 'drizzle-orm'
import { type EventAddress, type EventRow, requireEventAt } from '#app/features/events/events.policy.server.ts'
import { type ProjectRow, requireVisibleProject } from '#app/features/projects/projects.policy.server.ts'
import { requireProjectBySlug } from '#app/features/projects/projects.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { events } from '#app/server/db/schema/events.ts'
import { projectDates } from '#app/server/db/schema/projects.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { createRefusedFileResponse } from '#app/server/refused-file.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { createCalendarResponse } from './calendar-file.server.ts'
import type { WrittenDate } from './write-calendar.server.ts'

/**
 * The key dates that the project's page shows, or, without any, when it opens and closes; and its events.
 * @throws {AppError} `not-found`, also for drafts and hidden projects; `gone`
 */
export async function buildProjectDates(ctx: Ctx, slug: string): Promise<Response> {
  const { site, language } = ctx
  const { project, dates, planned } = await ctx.db.read(async (tx) => {
    const found = await requireProjectBySlug(ctx, tx, slug)
    const { preview } = await requireVisibleProject(ctx, tx, found)
    if (preview) throw new AppError('not-found')
    const rows = await tx
      .select()
      .from(projectDates)
      .where(and(eq(projectDates.siteId, site.id), eq(projectDates.projectId, found.id)))
      .orderBy(asc(projectDates.happensAt), asc(projectDates.id))
    const planned = await tx
      .select()
      .from(events)
      .where(and(eq(events.siteId, site.id), eq(events.projectId, found.id), eq(events.status, 'published')))
      .orderBy(asc(events.startsAt), asc(events.id))
    return { project: found, dates: rows, planned }
  })
  const localise = (text: Translated) => getTranslation(text, ctx.contentLanguage, site.locale)
  const t = getTranslator(language, 'participant')
  const title = localise(project.title)
  const url = buildPageUrl(ctx, `/projects/${project.slug}`)
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
    dates: [
      ...(dates.length > 0
        ? dates.map((row) =>
            toDate({ ...row, id: `key-date-happens-${row.id}`, summary: localise(row.title), description: localise(row.detail) }),
          )
        : [...toOpening('opens', project.opensAt), ...toOpening('closes', project.closesAt)]),
      ...planned.flatMap((event) => toEventDate(ctx, { event, project })),
    ],
  })
}

/**
 * One event.
 * @throws {AppError} `not-found`, also for what is not public or was cancelled; `gone`
 */
export async function buildEventDate(ctx: Ctx, address: EventAddress): Promise<Response> {
  const placed = await ctx.db.read(async (tx) => {
    const found = await requireEventAt(ctx, tx, address)
    const { preview } = await requireVisibleProject(ctx, tx, found.project)
    if (preview || found.event.status !== 'published') throw new AppError('not-found')
    return found
  })
  const name = getTranslation(placed.event.title, ctx.contentLanguage, ctx.site.locale)
  return createCalendarResponse(ctx, { name, fileName: `${placed.event.slug}.ics`, dates: toEventDate(ctx, placed) })
}

/** Where to join online is for those who signed up, and is not in it. */
function toEventDate(ctx: Ctx, { event, project }: { event: EventRow; project: Pick<ProjectRow, 'slug' | 'title'> }): WrittenDate[] {
  const { id, slug, title, description, place, startsAt, endsAt } = event
  if (!startsAt) return []
  const localise = (text: Translated) => getTranslation(text, ctx.contentLanguage, ctx.site.locale)
  return [
    {
      id: `event-happens-${id}`,
      summary: `${localise(title)} · ${localise(project.title)}`,
      description: localise(description),
      location: localise(place),
      url: buildPageUrl(ctx, `/projects/${project.slug}/events/${slug}`),
      day: toCalendarDay(ctx.site.timeZone, startsAt),
      at: startsAt.toISOString(),
      ...(endsAt && { until: endsAt.toISOString() }),
      precision: 'time',
    },
  ]
}

const buildPageUrl = (ctx: Ctx, path: string): string =>
  buildSiteUrl(ctx, ctx.contentLanguage === ctx.site.locale ? path : `/${ctx.contentLanguage}${path}`)

export async function serveEventDate({
  context: { ctx },
  params,
}: {
  context: RequestContext
  params: { slug: string; event: string }
}): Promise<Response> {
  try {
    return await buildEventDate(ctx, { project: params.slug, event: params.event })
  } catch (error) {
    return createRefusedFileResponse(ctx, error)
  }
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
