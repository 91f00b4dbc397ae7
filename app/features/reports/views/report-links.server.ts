import { and, count, desc, eq, gt, inArray, isNull, type SQL } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { parseSearchParams } from '#app/lib/search-params.ts'
import { createId } from '#app/lib/uuid.ts'
import { createToken, hashToken } from '#app/server/auth/tokens.ts'
import { loadAccountViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { reportLinks, reportViews } from '#app/server/db/schema/reports.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { readThemePalette } from '#app/ui/theme.ts'
import { drawSquares } from '../draw-squares.server.ts'
import { showReport } from '../report-files.server.ts'
import { readReportSearch } from '../report.search.ts'
import type { ReportPart, ReportView } from '../report.schema.ts'
import { LONGEST_LINK_DAYS, MAX_LINKS } from './report-views.schema.ts'
import {
  isMaker,
  loadReportViewsById,
  maySeeSomewhere,
  requireOwnRole,
  type ReportViewRow,
  selectReportViews,
} from './report-views.server.ts'

type LinkRow = typeof reportLinks.$inferSelect & {
  /** Only right after it was made. */
  url?: string
}

/**
 * Makes a link to one of the viewer's own reports. What it shows is what they may see, as of when it is opened.
 * @throws {AppError} `forbidden`; `invalid` with `moment-passed`, `out-of-range`, `too-many` or `not-found`
 */
export async function createReportLink(ctx: Ctx, input: { viewId: string; expiresAt: string }): Promise<LinkRow> {
  const view = await requireOwnView(ctx, input.viewId)
  const now = ctx.now()
  const expiresAt = new Date(input.expiresAt)
  const latest = new Date(now.getTime() + LONGEST_LINK_DAYS * 86_400_000)
  if (expiresAt <= now) throw new AppError('invalid', { faults: [{ code: 'moment-passed', pointer: '/expiresAt' }] })
  if (expiresAt > latest)
    throw new AppError('invalid', { faults: [{ code: 'out-of-range', pointer: '/expiresAt', values: { max: latest.toISOString() } }] })
  const secret = createToken()
  const row = {
    siteId: ctx.site.id,
    id: createId(),
    viewId: view.id,
    secretHash: hashToken(secret),
    createdAt: now,
    expiresAt,
    revokedAt: null,
  }
  await ctx.db.tx(async (tx) => {
    const [open] = await tx
      .select({ total: count() })
      .from(reportLinks)
      .where(isOpenLinkOf(ctx, eq(reportLinks.viewId, view.id)))
    if ((open?.total ?? 0) >= MAX_LINKS)
      throw new AppError('invalid', { faults: [{ code: 'too-many', pointer: '/view', values: { max: MAX_LINKS } }] })
    await tx.insert(reportLinks).values(row)
    await recordAudit(ctx, tx, {
      action: 'report-views.share',
      subject: { type: 'report-views', id: view.id },
      hubId: view.hubId,
      detail: { name: view.name, until: expiresAt },
    })
  })
  return { ...row, url: buildSiteUrl(ctx, `/shared-report?token=${secret}`) }
}

/** Ends a link at once. */
export async function revokeReportLink(ctx: Ctx, link: LinkRow): Promise<void> {
  const view = await requireOwnView(ctx, link.viewId)
  await ctx.db.tx(async (tx) => {
    await tx
      .update(reportLinks)
      .set({ revokedAt: ctx.now() })
      .where(and(eq(reportLinks.siteId, ctx.site.id), eq(reportLinks.id, link.id)))
    await recordAudit(ctx, tx, {
      action: 'report-views.unshare',
      subject: { type: 'report-views', id: view.id },
      hubId: view.hubId,
      detail: { name: view.name },
    })
  })
}

/** Open links of the viewer's own reports, newest first. */
export async function listReportLinks(
  ctx: Ctx,
  { view, page }: { view?: string | undefined; page: { limit: number; offset: number } },
): Promise<{ rows: LinkRow[]; total: number }> {
  const where = isOpenLinkOf(ctx, view === undefined ? undefined : eq(reportLinks.viewId, view))
  const own = await loadOwnLinks(ctx, where)
  return { rows: own.slice(page.offset, page.offset + page.limit), total: own.length }
}

export const loadReportLinksById = (ctx: Ctx, ids: readonly string[]): Promise<LinkRow[]> =>
  loadOwnLinks(ctx, isOpenLinkOf(ctx, inArray(reportLinks.id, [...ids])))

/** A person has at most so many reports, and each so many links. */
async function loadOwnLinks(ctx: Ctx, where: SQL | undefined): Promise<LinkRow[]> {
  const { viewer, site } = ctx
  if (viewer.kind !== 'user' || viewer.siteId !== site.id) return []
  const rows = await ctx.db.read((tx) =>
    tx
      .select({ link: reportLinks })
      .from(reportLinks)
      .innerJoin(reportViews, and(eq(reportViews.siteId, reportLinks.siteId), eq(reportViews.id, reportLinks.viewId)))
      .where(and(where, eq(reportViews.userId, viewer.id)))
      .orderBy(desc(reportLinks.createdAt), desc(reportLinks.id)),
  )
  return rows.map(({ link }) => link)
}

const isOpenLinkOf = ({ site, now }: Ctx, where: SQL | undefined): SQL | undefined =>
  and(eq(reportLinks.siteId, site.id), isNull(reportLinks.revokedAt), gt(reportLinks.expiresAt, now()), where)

/** @throws {AppError} `not-found`; `forbidden` for those of others, and for roles that a group elsewhere gives */
async function requireOwnView(ctx: Ctx, id: string): Promise<ReportViewRow> {
  const [view] = await loadReportViewsById(ctx, [id])
  if (!view) throw new AppError('not-found')
  if (ctx.viewer.kind !== 'user' || !isMaker(ctx, view)) throw new AppError('forbidden')
  await requireOwnRole(ctx, ctx.viewer)
  return view
}

/** What the page of a link shows: the report, or whom to ask for another link. */
export type SharedReport = { report: ReportView; maker: string } | { report: null; maker: string | null; contact: string | null }

/**
 * The report behind a link as of now, with no more than the person who made it may see now. Without a report if the link expired, was
 * revoked or is unknown, or that person is no longer allowed to see any.
 */
export async function readSharedReport(ctx: Ctx, secret: string): Promise<SharedReport> {
  const [link] = await ctx.db.read((tx) =>
    tx
      .select()
      .from(reportLinks)
      .where(and(eq(reportLinks.siteId, ctx.site.id), eq(reportLinks.secretHash, hashToken(secret)))),
  )
  const [view] = link ? await selectReportViews(ctx, eq(reportViews.id, link.viewId)) : []
  const ended: SharedReport = { report: null, maker: view?.maker ?? null, contact: ctx.site.contactEmail }
  if (!link || !view || link.revokedAt || link.expiresAt <= ctx.now()) return ended
  const viewer = await loadAccountViewer(ctx.db, view.userId)
  if (!viewer || !maySeeSomewhere(viewer)) return ended
  try {
    const report = await showReport({ ...ctx, viewer }, readReportSearch(parseSearchParams(view.query)), true)
    const color = readThemePalette(ctx.site.theme).primary
    return { report: { ...report, parts: report.parts.map((part) => drawMaps(part, color)) }, maker: view.maker }
  } catch (error) {
    // Days that were right when it was saved, as a first day ten years ago.
    if (isAppError(error, 'invalid-parameter')) return ended
    throw error
  }
}

/** The page shows each map as one picture: its streets are sent once. */
const drawMaps = (part: ReportPart, color: string): ReportPart => ({
  ...part,
  blocks: part.blocks.map((block) => {
    if (block.kind !== 'map') return block
    const { streets: _, ...picture } = block.picture
    return { ...block, picture, svg: drawSquares(block, color) }
  }),
})
