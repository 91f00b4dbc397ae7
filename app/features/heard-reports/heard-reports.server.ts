import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { hasPublishedDecisions } from '#app/features/heard/decisions-page.server.ts'
import type { QuoteView } from '#app/features/heard/heard.schema.ts'
import { readQuotes } from '#app/features/heard/quotes.server.ts'
import type { ReportPart } from '#app/features/heard/report-part.schema.ts'
import { countThemes, loadProjectThemes, resolveMerges } from '#app/features/heard/theme-figures.server.ts'
import { resolvePictures } from '#app/features/homepage/block-pictures.server.ts'
import { lookUpBlock } from '#app/features/homepage/block-lookups.server.ts'
import { type BlockData, type HomeBlockView, isEmptyBlock, readBlocks, toBlockView } from '#app/features/homepage/homepage.schema.ts'
import { requireVisibleProject } from '#app/features/projects/projects.policy.server.ts'
import { requireProjectBySlug } from '#app/features/projects/projects.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { heardReportQuotes, heardReports } from '#app/server/db/schema/heard.ts'
import { canTypeset } from '#app/server/documents/make-document.server.ts'
import { type ContentScopes, readWithin } from '#app/server/memory/content-reads.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { isFrozenBlock, type ReportView } from './heard-reports.schema.ts'
import { countAnswers, countPosts } from './report-parts.server.ts'

export type ReportRow = typeof heardReports.$inferSelect

/**
 * A project's published report: the newest, or the version that is asked for, which stays readable when a later one supersedes it.
 * @throws {AppError} `not-found` also before any is published, `gone`
 */
export const getReport = (ctx: Ctx, input: { slug: string; version?: number | undefined }): Promise<ReportView> => {
  const scopes: ContentScopes = {}
  return readPublic(ctx, ['heard-report', input.slug, input.version ?? null], (reader) =>
    readWithin(
      () => scopes,
      () =>
        reader.db.read(async (tx) => {
          const project = await requireProjectBySlug(reader, tx, input.slug)
          scopes.project = project.id
          await requireVisibleProject(reader, tx, project)
          const rows = await tx
            .select()
            .from(heardReports)
            .where(and(eq(heardReports.siteId, reader.site.id), eq(heardReports.projectId, project.id)))
            .orderBy(desc(heardReports.version))
          const row = input.version === undefined ? rows[0] : rows.find(({ version }) => version === input.version)
          if (!row) throw new AppError('not-found')
          return {
            project: { slug: project.slug, title: localiseText(project.title, reader.contentLanguage, reader.site.locale) },
            kind: row.kind,
            ...(await loadReportContent(reader, tx, row)),
            versions: rows.map(({ version, asOf, status }) => ({ version, asOf: asOf.toISOString(), status })),
            hasDecisions: await hasPublishedDecisions(reader, tx, project.id),
            canTypeset: canTypeset(),
          }
        }),
    ),
  )
}

/** What a report says in the language of the request, with what was withdrawn since. */
export async function loadReportContent(ctx: Ctx, tx: Tx, row: ReportRow): Promise<Pick<ReportView, 'facts' | 'blocks'>> {
  const { counts } = row
  const gone = await countGone(ctx, tx, row)
  const inside = withTx(ctx, tx)
  const quotes = await loadReportQuotes(inside, tx, row)
  const frozen = row.frozen[ctx.language] ?? row.frozen[ctx.site.locale] ?? {}
  const views: HomeBlockView[] = []
  for (const block of readBlocks(row.content)) {
    const data = isFrozenBlock(block)
      ? showFrozen(frozen[block.id], quotes.get(block.id) ?? [], gone)
      : await lookUpBlock(inside, block, { hubId: null, featured: [] })
    views.push(toBlockView(block, data, (text) => localiseText(text, ctx.contentLanguage, ctx.site.locale)))
  }
  const sum = (numbers: Record<string, number>) => Object.values(numbers).reduce((total, number) => total + number, 0)
  return {
    facts: {
      version: row.version,
      status: row.status,
      asOf: row.asOf.toISOString(),
      answers: sum(counts.surveys) + counts.posts,
      gone: sum(gone.survey) + gone.posts,
    },
    blocks: (await resolvePictures(inside, views)).filter((view) => !isEmptyBlock(view)),
  }
}

type Gone = Record<'survey' | 'theme', Record<string, number>> & { posts: number }

/** What was withdrawn, erased or set aside since the report was published: what counts now, of what was there then. */
async function countGone(ctx: Ctx, tx: Tx, { projectId, asOf, counts }: ReportRow): Promise<Gone> {
  const answers = await countAnswers(ctx, tx, projectId, asOf)
  const themes = await loadProjectThemes(ctx, tx, projectId)
  const ends = resolveMerges(themes)
  const figures = await countThemes(ctx, tx, projectId, themes, sql`e.created_at <= ${asOf}`)
  const subtract = (then: Record<string, number>, now: (id: string) => number) =>
    Object.fromEntries(Object.entries(then).map(([id, count]) => [id, Math.max(0, count - now(id))]))
  return {
    survey: subtract(counts.surveys, (id) => answers[id] ?? 0),
    // The passages of a theme that was merged since count for another.
    theme: subtract(counts.people, (id) => (ends.get(id) === id ? (figures.get(id)?.people ?? 0) : Infinity)),
    posts: Math.max(0, counts.posts - (await countPosts(ctx, tx, projectId, asOf))),
  }
}

function showFrozen(found: unknown, quotes: QuoteView[], gone: Gone): BlockData {
  const part = (found as { part: ReportPart | null } | undefined)?.part ?? null
  return { part: part && { ...part, quotes, gone: part.basis ? (gone[part.basis.kind][part.basis.id] ?? 0) : 0 } }
}

/** The quotes of a report that are still there, by block. */
async function loadReportQuotes(ctx: Ctx, tx: Tx, { id, projectId }: ReportRow): Promise<Map<string, QuoteView[]>> {
  const rows = await tx
    .select({ block: heardReportQuotes.block, evidence: heardReportQuotes.evidenceId })
    .from(heardReportQuotes)
    .where(and(eq(heardReportQuotes.siteId, ctx.site.id), eq(heardReportQuotes.reportId, id)))
    .orderBy(asc(heardReportQuotes.position))
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ evidence }) => evidence)
  const quotes = new Map(
    (await readQuotes(ctx, tx, projectId, sql`e.id = any (${sql.param(ids)}::uuid[])`)).map((quote) => [quote.id, quote]),
  )
  const found = new Map<string, QuoteView[]>()
  for (const { block, evidence } of rows) {
    const quote = quotes.get(evidence)
    if (quote) found.set(block, [...(found.get(block) ?? []), { text: quote.text, language: quote.language }])
  }
  return found
}
