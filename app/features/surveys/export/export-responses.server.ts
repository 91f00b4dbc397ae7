import { and, asc, count, eq, isNotNull, isNull, lte, not, sql } from 'drizzle-orm'
import { requireDownloadReason } from '#app/features/audit/audit.server.ts'
import { loadThemeNames, nameThemes } from '#app/features/heard/theme-names.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { createFileResponse, type DownloadFile } from '#app/server/file-response.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { streamCsv, streamXlsx } from './formats.server.ts'
import { type ExportFormat, isExportFormat } from './export.schema.ts'
import { streamJson } from './json.server.ts'
import { type ExportedRow, type ExportPlan, buildPlanColumns } from './export-plan.ts'
import { streamSpss } from './spss.server.ts'
import { recordSurveyAudit } from '../managing/editing.server.ts'
import { type PlacedSurvey, requireSurveyFor, type SurveyRow } from '../surveys.policy.server.ts'
import type { SurveyKeywords } from '../sms/by-text.schema.ts'
import { loadKeywords } from '../sms/keywords.server.ts'
import type { OwnSettings } from './own-format.schema.ts'
import type { Answers } from '../surveys.schema.ts'
import { loadEveryVersion, readDefinition } from '../questionnaire/versions.server.ts'
import { listTagsByQuestion } from '../free-text/tags.server.ts'

/** Small enough for a page to be garbage collected before the next is read. */
const ROWS_AT_ONCE = 400

export interface ExportInput {
  surveyId: string
  format: ExportFormat
  /** Include names and email addresses of people who answered with an account. */
  personal: boolean
}

const FILE_FORMATS: Record<ExportFormat, { ending: string; type: string }> = {
  csv: { ending: 'csv', type: 'text/csv; charset=utf-8' },
  xlsx: { ending: 'xlsx', type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  json: { ending: 'json', type: 'application/json' },
  spss: { ending: 'spss.zip', type: 'application/zip' },
}

/** File name, which says if the file holds personal data, and media type. */
export const describeFile = (
  slug: string,
  { format, personal }: Pick<ExportInput, 'format' | 'personal'>,
  at: Date,
): { filename: string; type: string } => ({
  filename: `${slug}${personal ? '-personal-data' : ''}-${at.toISOString().slice(0, 10)}.${FILE_FORMATS[format].ending}`,
  type: FILE_FORMATS[format].type,
})

/**
 * Exports every response of a survey at the time of the request. Recorded in the audit trail.
 * @throws {AppError} `not-found`, `forbidden`
 */
export async function exportResponses(ctx: Ctx, input: ExportInput): Promise<DownloadFile> {
  const plan = await ctx.db.tx(async (tx) => {
    const placed = await requireExportableSurvey(ctx, tx, input)
    await recordExport(ctx, tx, placed, { personal: input.personal, format: input.format })
    return loadExportPlan(ctx, tx, placed.survey, input.personal, ctx.now())
  })
  return { ...describeFile(plan.survey.slug, input, plan.at), pieces: streamExport(ctx, plan, input.format) }
}

/** Records a download in the audit trail. @param reason why, if it is not in the request's address @throws {AppError} `reason-required` with personal data */
export async function recordExport(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedSurvey,
  detail: Record<string, unknown> & { personal: boolean },
  reason = ctx.reason,
): Promise<void> {
  const reasoned = detail.personal ? { ...detail, reason: requireDownloadReason(ctx, reason) } : detail
  await recordSurveyAudit(ctx, tx, placed, 'responses.export', reasoned)
}

/** The survey, if the viewer may export it. @throws {AppError} `not-found`, `forbidden` */
export async function requireExportableSurvey(ctx: Ctx, tx: Tx, input: { surveyId: string; personal: boolean }): Promise<PlacedSurvey> {
  const placed = await requireSurveyFor(ctx, tx, 'responses.see', input.surveyId)
  if (input.personal) requirePermission(ctx, 'responses.export-personal', toPermissionTarget(placed.project))
  return placed
}

/** The plan for a file, with every question of any published version. Does not check permissions. */
export async function loadExportPlan(ctx: Ctx, tx: Tx, survey: SurveyRow, personal: boolean, at: Date): Promise<ExportPlan> {
  const { versions, everything } = await loadEveryVersion(tx, ctx.site.id, survey.id)
  const { language } = ctx
  const themes = await loadThemeNames(ctx, tx, survey.projectId)
  const tags = await listTagsByQuestion(ctx, tx, survey.id, themes)
  return {
    survey: {
      id: survey.id,
      slug: survey.slug,
      title: localiseText(survey.title, ctx.contentLanguage, ctx.site.locale).text,
    },
    settings: toOwnSettings(survey, await loadKeywords(tx, ctx.site.id, survey.id)),
    draft: readDefinition(survey.definition),
    at,
    language,
    personal,
    versions,
    themes: tags.size > 0 ? themes : undefined,
    columns: buildPlanColumns(everything, {
      language: ctx.contentLanguage,
      fallback: ctx.site.locale,
      personal,
      hasUncounted: await hasUncountedResponses(ctx, tx, survey.id),
      origin: buildSiteUrl(ctx, ''),
      tags,
      tagWord: getTranslator(language, 'survey-admin')('written.tag'),
    }),
  }
}

async function hasUncountedResponses(ctx: Ctx, tx: Tx, surveyId: string): Promise<boolean> {
  const found = await tx
    .select({ id: responses.id })
    .from(responses)
    .where(
      and(
        eq(responses.siteId, ctx.site.id),
        eq(responses.surveyId, surveyId),
        isNotNull(responses.crowdId),
        not(responses.counted),
        isNull(responses.withdrawnAt),
      ),
    )
    .limit(1)
  return found.length > 0
}

const toOwnSettings = (survey: SurveyRow, smsKeywords: SurveyKeywords): OwnSettings => ({
  slug: survey.slug,
  titleTranslations: survey.title,
  introTranslations: survey.intro,
  thanksTranslations: survey.thanks,
  access: survey.access,
  groupId: survey.groupId,
  verification: survey.verification,
  anonymous: survey.anonymous,
  changeable: survey.changeable,
  variant: survey.variant,
  resultsPublic: survey.resultsPublic,
  smsKeywords,
  opensAt: survey.opensAt?.toISOString() ?? null,
  closesAt: survey.closesAt?.toISOString() ?? null,
  minutes: survey.minutes,
})

/** Streams the file for a plan. @param onPage called after each page with the number of rows read so far; may throw to stop */
export function streamExport(
  ctx: Ctx,
  plan: ExportPlan,
  format: ExportFormat,
  onPage?: (rows: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const pages = readPages(ctx, plan, onPage)
  if (format === 'xlsx') return streamXlsx(plan, pages)
  if (format === 'spss') {
    const t = getTranslator(ctx.language, 'survey')
    return streamSpss(plan, pages, { yes: t('choice.yes'), no: t('choice.no') })
  }
  return encodePieces(format === 'csv' ? streamCsv(plan, pages) : streamJson(plan, pages))
}

async function* encodePieces(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}

/** Number of responses an export would contain. */
export async function countForExport(ctx: Ctx, tx: Tx, surveyId: string, until: Date): Promise<number> {
  const [row] = await tx
    .select({ all: count() })
    .from(responses)
    .where(whereExported(ctx, surveyId, until))
  return row?.all ?? 0
}

/** Prefetches the next page while the current one is processed: the database is another process. */
async function* readPages(ctx: Ctx, plan: ExportPlan, onPage?: (rows: number) => Promise<void>): AsyncGenerator<ExportedRow[]> {
  let read = 0
  const requestPage = (after?: Row) => {
    const rows = readRows(ctx, plan, after)
    // An error surfaces when the page is awaited; until then it must not count as an unhandled rejection.
    rows.catch(() => undefined)
    return rows
  }
  let next: Promise<Row[]> | undefined = requestPage()
  try {
    while (next) {
      const rows: Row[] = await next
      const last = rows.length === ROWS_AT_ONCE ? rows.at(-1) : undefined
      next = last && requestPage(last)
      read += rows.length
      if (rows.length > 0) yield rows.map((row) => toExportedRow(row, plan))
      await onPage?.(read)
    }
  } finally {
    // If the consumer stops early, wait for the query in progress.
    await next?.catch(() => undefined)
  }
}

type Row = Awaited<ReturnType<typeof readRows>>[number]

const toExportedRow = (
  { id, submittedAt, language, version, source, seconds, counted, answers, coded, login, email }: Row,
  { themes }: ExportPlan,
): ExportedRow => ({
  id,
  submittedAt,
  language,
  version,
  source,
  seconds,
  counted,
  answers: answers as Answers,
  ...(coded && themes && { tags: Object.fromEntries(Object.entries(coded).map(([question, ids]) => [question, nameThemes(themes, ids)])) }),
  login,
  email,
})

const whereExported = (ctx: Ctx, surveyId: string, until: Date) =>
  and(eq(responses.siteId, ctx.site.id), eq(responses.surveyId, surveyId), isNull(responses.withdrawnAt), lte(responses.submittedAt, until))

/** The next page of responses, oldest first. */
function readRows(ctx: Ctx, { survey, at, personal, themes }: ExportPlan, after: { at: string; id: string } | undefined) {
  return ctx.db.read((tx) => {
    const nobody = sql<string | null>`null`
    const rows = tx
      .select({
        id: responses.id,
        submittedAt: responses.submittedAt,
        /** As text, to the microsecond: a Date has only milliseconds. */
        at: sql<string>`${responses.submittedAt}::text`,
        language: responses.language,
        version: responses.version,
        source: responses.source,
        seconds: responses.seconds,
        counted: responses.counted,
        answers: responses.answers,
        coded: themes
          ? sql<Record<string, string[]> | null>`(select jsonb_object_agg(question, themes) from (
              select question, jsonb_agg(distinct theme_id) as themes from theme_evidence e
              where e.site_id = responses.site_id and e.response_id = responses.id and e.state = 'confirmed' group by question) as by_question)`
          : sql<null>`null`,
        login: personal ? users.login : nobody,
        email: personal ? users.email : nobody,
      })
      .from(responses)
    const whose = personal ? rows.leftJoin(users, and(eq(users.siteId, responses.siteId), eq(users.id, responses.userId))) : rows
    return whose
      .where(
        and(
          whereExported(ctx, survey.id, at),
          after && sql`(${responses.submittedAt}, ${responses.id}) > (${after.at}::timestamptz, ${after.id}::uuid)`,
        ),
      )
      .orderBy(asc(responses.submittedAt), asc(responses.id))
      .limit(ROWS_AT_ONCE)
  })
}

/** Download route: the format is in the path; `?personal=true` includes who answered. */
export function downloadResponses({
  context: { ctx },
  params,
  request,
}: {
  context: RequestContext
  params: { survey: string; format: string }
  request: Request
}): Promise<Response> {
  return createFileResponse(ctx, () => {
    const { survey: surveyId, format } = params
    if (!isExportFormat(format)) throw new AppError('not-found')
    return exportResponses(ctx, { surveyId, format, personal: new URL(request.url).searchParams.get('personal') === 'true' })
  })
}
