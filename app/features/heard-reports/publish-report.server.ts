import { and, desc, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { MAX_QUOTES_OF_ONE, MAX_THEME } from '#app/features/heard/heard.schema.ts'
import { listUndecidedThemes } from '#app/features/heard/publish-decisions.server.ts'
import { hasPublishedDecisions } from '#app/features/heard/decisions-page.server.ts'
import { type Quote, readQuotes } from '#app/features/heard/quotes.server.ts'
import type { ReportPart } from '#app/features/heard/report-part.schema.ts'
import { countThemes, loadProjectThemes, resolveMerges } from '#app/features/heard/theme-figures.server.ts'
import { lookUpBlocks } from '#app/features/homepage/homepage.preview.server.ts'
import { type BlockData, type HomeBlock, readBlocks, reportContentSchema } from '#app/features/homepage/homepage.schema.ts'
import { listBlockTexts } from '#app/features/homepage/missing-texts.schema.ts'
import { endReview } from '#app/features/reviews/reviews.server.ts'
import { loadVisibleRevisions } from '#app/features/revisions/revisions.list.server.ts'
import { requireContentPublisher } from '#app/features/revisions/revisions.policy.server.ts'
import { type Obstacle, publishRevision, type RevisionKind, type RevisionRow } from '#app/features/revisions/revisions.server.ts'
import { countPublicFigures } from '#app/features/surveys/surveys.public-figures.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { requireValid } from '#app/lib/validate.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { type Ctx, withTx, withLanguage } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { heardReportQuotes, heardReportRevisions, heardReports } from '#app/server/db/schema/heard.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { listTextGaps } from '#app/server/translations.ts'
import { findReportKind, isFrozenBlock } from './heard-reports.schema.ts'
import { REPORT_REVIEWS, requestReportReview, requireAgreement } from './report-reviews.server.ts'
import { countAnswers, countPosts, createPartReader } from './report-parts.server.ts'

/** Versions of the draft of a project's report. Publishing one makes a report, whose figures stay as they are then. */
export const HEARD_REPORT: RevisionKind = {
  subject: 'heard-report',
  table: heardReportRevisions,
  read: (_, content) => requireValid(reportContentSchema, content, { at: '/content' }),
  texts: (content) => listBlockTexts(readBlocks(content)),
  obstacles: (ctx, content, placeId) => listReportObstacles(ctx, readBlocks(content), placeId ?? ''),
  recordChange: async (ctx, tx, { row, place, detail }) => {
    await requireAgreement(ctx, tx, row)
    const ended = await endReview(ctx, tx, REPORT_REVIEWS, row.placeId ?? '')
    const subject = { type: 'projects' as const, id: row.placeId ?? '' }
    await recordAudit(ctx, tx, { action: 'heard-reports.publish', subject, ...place, detail: { ...detail, ...ended } })
  },
  // A colleague agrees to what they have read.
  onSave: async (ctx, tx, { placeId }) => void (await endReview(ctx, tx, REPORT_REVIEWS, placeId ?? '')),
  requestReview: requestReportReview,
  onChange: async (ctx, tx, published) => {
    if (published) await freezeReport(withTx(ctx, tx), tx, published)
  },
}

/**
 * Publishes a version of the draft; the report that was published until then is superseded and stays.
 * @returns the report's id
 * @throws {AppError} `not-found`; `forbidden`, also for those who may only ask for a review; `report-needs-agreement`, `report-agree-other`;
 * `invalid` with everything that prevents it
 */
export async function publishReport(ctx: Ctx, input: { revision: string; waived?: readonly string[] | undefined }): Promise<string> {
  const [row] = await loadVisibleRevisions(ctx, HEARD_REPORT, [input.revision])
  if (!row) throw new AppError('not-found')
  if ((await requireContentPublisher(ctx, 'heard-report', row.placeId)).mustAsk) throw new AppError('report-needs-agreement')
  await publishRevision(ctx, HEARD_REPORT, row, { waived: input.waived })
  const [report] = await ctx.db.read((tx) =>
    tx
      .select({ id: heardReports.id })
      .from(heardReports)
      .where(and(eq(heardReports.siteId, ctx.site.id), eq(heardReports.revisionId, row.id)))
      .orderBy(desc(heardReports.version))
      .limit(1),
  )
  if (!report) throw new AppError('conflict')
  return report.id
}

/**
 * Asks a colleague to agree to the draft, as complete as it has to be for publication.
 * @returns the project's id
 * @throws {AppError} `not-found`, `forbidden`; `conflict` if it is not the draft or waits already; `invalid` with everything that prevents it
 */
export async function askForReview(ctx: Ctx, input: { revision: string; waived?: readonly string[] | undefined }): Promise<string> {
  const [row] = await loadVisibleRevisions(ctx, HEARD_REPORT, [input.revision])
  if (!row?.placeId) throw new AppError('not-found')
  await publishRevision(ctx, HEARD_REPORT, row, { waived: input.waived, asksOnly: true })
  return row.placeId
}

/** What no report can be published with. */
function listReportObstacles(ctx: Ctx, blocks: readonly HomeBlock[], projectId: string): Promise<Obstacle[]> {
  return ctx.db.read(async (tx) => {
    if (blocks.length === 0) return [{ code: 'required', pointer: '/content/blocks' }]
    const quotes = await loadBlockQuotes(ctx, tx, projectId, blocks)
    const ofPerson = Map.groupBy(new Map(quotes.map(({ quote }) => [quote.id, quote])).values(), ({ person }) => person)
    const isTooMany = [...ofPerson.values()].some((own) => own.length > MAX_QUOTES_OF_ONE)
    const gaps = await listThemeGaps(ctx, tx, projectId, blocks)
    const otherwise = await listOtherComparisons(ctx, tx, projectId, blocks)
    const decisionsAt = blocks.findIndex(({ type }) => type === 'report_decisions')
    return [
      ...(isTooMany ? [{ code: 'too-many-quotes-of-one' as const, pointer: '/content/blocks', values: { max: MAX_QUOTES_OF_ONE } }] : []),
      ...gaps,
      ...otherwise,
      ...(decisionsAt < 0 ? [] : await listUndecidedThemes(ctx, tx, projectId)),
      ...(decisionsAt < 0 || (await hasPublishedDecisions(ctx, tx, projectId))
        ? []
        : [{ code: 'decisions-unpublished' as const, pointer: `/content/blocks/${decisionsAt}` }]),
    ]
  })
}

/**
 * Answers to a survey are compared in public by one of its questions, once and for all: two comparisons together could show what each of them
 * hides.
 */
async function listOtherComparisons(ctx: Ctx, tx: Tx, projectId: string, blocks: readonly HomeBlock[]): Promise<Obstacle[]> {
  const own = listComparisons(blocks)
  if (own.length === 0) return []
  const before = await tx
    .select({ content: heardReports.content })
    .from(heardReports)
    .where(and(eq(heardReports.siteId, ctx.site.id), eq(heardReports.projectId, projectId)))
    .orderBy(heardReports.version)
  const known = new Map<string, string>()
  for (const { survey, by } of [...before.flatMap(({ content }) => listComparisons(readBlocks(content))), ...own])
    if (!known.has(survey)) known.set(survey, by)
  return own
    .filter(({ survey, question, by }) => by === question || !by.startsWith(`${survey}:`) || known.get(survey) !== by)
    .map(({ at }) => ({ code: 'compared-by-another', pointer: `/content/blocks/${at}/comparedBy` }))
}

const listComparisons = (blocks: readonly HomeBlock[]) =>
  blocks.flatMap((block, at) =>
    block.type === 'report_figure' && block.question && block.comparedBy
      ? [{ at, survey: block.question.split(':')[0] ?? '', question: block.question, by: block.comparedBy }]
      : [],
  )

/** The titles of the themes it shows, in each language of the site. */
async function listThemeGaps(ctx: Ctx, tx: Tx, projectId: string, blocks: readonly HomeBlock[]): Promise<Obstacle[]> {
  const themes = await loadProjectThemes(ctx, tx, projectId)
  const ends = resolveMerges(themes)
  const shown = new Set(blocks.flatMap((block) => (block.type === 'report_theme' && block.chosen ? [ends.get(block.chosen.theme)] : [])))
  const gaps: Obstacle[] = []
  for (const [at, { id, title }] of themes.filter((theme) => shown.has(theme.id)).entries()) {
    const text = {
      pointer: `/content/themes/${at}/titleTranslations`,
      name: `themes.${id}`,
      text: title,
      isNeeded: true,
      max: MAX_THEME.title,
    }
    for (const { code, name, pointer, language } of await listTextGaps(ctx, tx, id, [text]))
      gaps.push({ code, name, pointer, values: { language } })
  }
  return gaps
}

interface BlockQuote {
  block: string
  quote: Quote
}

/** The passages that blocks quote, each of the theme of its block. Those that were withdrawn or may no longer be quoted are left out. */
async function loadBlockQuotes(ctx: Ctx, tx: Tx, projectId: string, blocks: readonly HomeBlock[]): Promise<BlockQuote[]> {
  const chosen = blocks.flatMap((block) => (block.type === 'report_theme' && block.chosen ? [{ block: block.id, ...block.chosen }] : []))
  if (chosen.every(({ quotes }) => quotes.length === 0)) return []
  const ends = resolveMerges(await loadProjectThemes(ctx, tx, projectId))
  const known = new Map((await readQuotes(ctx, tx, projectId)).map((quote) => [quote.id, quote]))
  return chosen.flatMap(({ block, theme, quotes }) =>
    [...new Set(quotes)].flatMap((id) => {
      const quote = known.get(id)
      return quote && ends.get(quote.theme) === ends.get(theme) ? [{ block, quote }] : []
    }),
  )
}

/** Stores the report as it is now, in each language of the site, and supersedes the one before. */
export async function freezeReport(ctx: Ctx, tx: Tx, revision: RevisionRow): Promise<void> {
  const projectId = revision.placeId ?? ''
  const asOf = ctx.now()
  const blocks = readBlocks(revision.content)
  // Of two people who publish at the same time, the second waits.
  await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, projectId)))
    .for('update')
  const isOfProject = and(eq(heardReports.siteId, ctx.site.id), eq(heardReports.projectId, projectId))
  const [before] = await tx
    .select({ version: heardReports.version })
    .from(heardReports)
    .where(isOfProject)
    .orderBy(desc(heardReports.version))
    .limit(1)
  await countPublicFigures(ctx, tx, projectId)
  const frozen: Record<string, Record<string, unknown>> = {}
  for (const language of ctx.site.languages) {
    const reader = withLanguage({ ...ctx, viewer: VISITOR }, language)
    const data = await lookUpBlocks(reader, blocks.filter(isFrozenBlock), {
      hubId: null,
      featured: [],
      describePart: createPartReader(projectId),
    })
    frozen[language] = Object.fromEntries(Object.entries(data).map(([id, found]) => [id, withoutQuotes(found)]))
  }
  const themes = await loadProjectThemes(ctx, tx, projectId)
  const figures = await countThemes(ctx, tx, projectId, themes)
  await tx
    .update(heardReports)
    .set({ status: 'superseded' })
    .where(and(isOfProject, eq(heardReports.status, 'published')))
  const id = createId()
  await tx.insert(heardReports).values({
    siteId: ctx.site.id,
    id,
    projectId,
    revisionId: revision.id,
    version: (before?.version ?? 0) + 1,
    kind: findReportKind(blocks),
    status: 'published',
    asOf,
    publishedBy: revision.publishedBy,
    content: revision.content,
    frozen,
    counts: {
      surveys: await countAnswers(ctx, tx, projectId, asOf),
      posts: await countPosts(ctx, tx, projectId, asOf),
      people: Object.fromEntries([...figures].map(([theme, { people }]) => [theme, people])),
    },
  })
  const quotes = await loadBlockQuotes(ctx, tx, projectId, blocks)
  if (quotes.length > 0)
    await tx.insert(heardReportQuotes).values(
      quotes.map(({ block, quote }, position) => ({
        siteId: ctx.site.id,
        reportId: id,
        block,
        evidenceId: quote.id,
        projectId,
        position,
      })),
    )
}

/** Words of people are stored once, where they can be withdrawn. */
function withoutQuotes(data: BlockData): BlockData {
  const { part } = data as { part: ReportPart | null }
  return { part: part && { ...part, quotes: [] } }
}
