import { and, eq } from 'drizzle-orm'
import { createReaderContext, lookUpBlocks, parseBlocks, type PreviewView } from '#app/features/homepage/homepage.preview.server.ts'
import { type BlockData, readBlocks } from '#app/features/homepage/homepage.schema.ts'
import type { PreviewSearch } from '#app/features/live-preview/preview-search.schema.ts'
import { requireContentEditor } from '#app/features/revisions/revisions.policy.server.ts'
import { findDraftRevision, findPublishedRevision } from '#app/features/revisions/revisions.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type LocalisedText, localiseText } from '#app/lib/localised-text.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { HEARD_REPORT } from './publish-report.server.ts'
import { createPartReader } from './report-parts.server.ts'

export interface ReportPreviewRequest extends PreviewSearch {
  /** Id of the project. */
  project: string
}

export interface ReportPreview extends PreviewView {
  project: { slug: string; title: LocalisedText }
}

/** The draft of a report with today's figures, for its editors. @throws {AppError} `not-found`, `forbidden` */
export function getReportPreview(ctx: Ctx, request: ReportPreviewRequest): Promise<ReportPreview> {
  return ctx.db.read(async (tx) => {
    const inside = withTx(ctx, tx)
    await requireContentEditor(inside, 'heard-report', request.project)
    const [project] = await tx
      .select({ slug: projects.slug, title: projects.title })
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, request.project)))
    if (!project) throw new AppError('not-found')
    const read = request.published ? findPublishedRevision : findDraftRevision
    const blocks = readBlocks((await read(inside, HEARD_REPORT, request.project))?.content)
    const reader = createReaderContext(inside, request)
    const title = localiseText(project.title, ctx.contentLanguage, ctx.site.locale)
    return {
      blocks,
      data: await lookUpBlocks(reader, blocks, { hubId: null, featured: [], describePart: createPartReader(request.project) }),
      now: reader.now().toISOString(),
      site: { name: title.text, tagline: { text: '' } },
      sharedUntil: null,
      tokens: null,
      project: { slug: project.slug, title },
    }
  })
}

/** Data of unsaved blocks. Blocks that cannot be parsed get none. @throws {AppError} `not-found`, `forbidden` */
export function getReportPreviewData(ctx: Ctx, request: ReportPreviewRequest & { blocks: unknown[] }): Promise<Record<string, BlockData>> {
  return ctx.db.read(async (tx) => {
    const inside = withTx(ctx, tx)
    await requireContentEditor(inside, 'heard-report', request.project)
    const facts = { hubId: null, featured: [], describePart: createPartReader(request.project) }
    return lookUpBlocks(createReaderContext(inside, request), parseBlocks(request.blocks), facts)
  })
}
