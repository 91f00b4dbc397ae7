import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { recordAudit, recordPersonalDownload } from '#app/features/audit/audit.server.ts'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { BYTE_ORDER_MARK, type CsvCell, formatCsvLine } from '#app/lib/csv.ts'
import type { Figure } from '#app/lib/figure-definitions.ts'
import type { Language } from '#app/lib/languages.ts'
import { OPEN_LICENCE } from '#app/lib/open-licence.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { contributions, contributionStatuses, officialResponses, isPublished } from '#app/server/db/schema/contributions.ts'
import { encodeLines } from '#app/server/encode-lines.ts'
import { createFigureSheet } from '#app/server/figure-sheet.ts'
import { createFileResponse, type DownloadFile } from '#app/server/file-response.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { streamWorkbook } from '#app/server/workbook.ts'
import { type PlacedActivity, requireActivityFor } from '../record/activities.policy.server.ts'
import { listExportedAnswers, readExtraQuestions } from '../fields/fields.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { buildPhotoAddress, type PhotoView } from '../record/photos.schema.ts'
import { loadPhotos } from '../photos/stored-photos.server.ts'
import { type ActivityFormat, isActivityFormat, type OpenFormat } from './activity-export.schema.ts'

const ROWS_AT_ONCE = 400

const FILE_TYPES: Record<ActivityFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json',
  geojson: 'application/geo+json',
}

interface ExportOptions {
  format: ActivityFormat
  /** Include names and email addresses of authors with an account, and the text of what was not published or was removed. */
  personal: boolean
}

/**
 * Exports what people sent to an activity. Recorded in the audit trail.
 * @throws {AppError} `not-found`, `forbidden`
 */
export async function exportActivity(ctx: Ctx, activityId: string, { format, personal }: ExportOptions): Promise<DownloadFile> {
  const placed = await ctx.db.tx(async (tx) => {
    const found = await requireActivityFor(ctx, tx, 'responses.see', activityId)
    const { activity, project } = found
    if (personal) requirePermission(ctx, 'responses.export-personal', toPermissionTarget(project))
    if (format === 'geojson' && !readActivitySettings(activity).tools.places) throw new AppError('not-found')
    const record = personal ? recordPersonalDownload : recordAudit
    await record(ctx, tx, {
      action: 'contributions.export',
      subject: { type: 'activities', id: activity.id },
      hubId: project.hubId,
      projectId: project.id,
      detail: { format, personal },
    })
    return found
  })
  const at = ctx.now()
  const seesStaff = checkPermission(ctx.viewer, 'contributions.moderate', toPermissionTarget(placed.project)).ok
  return {
    filename: `${placed.activity.slug}-${at.toISOString().slice(0, 10)}.${format}`,
    type: FILE_TYPES[format],
    pieces: streamFile(readPages(ctx, placed, { personal, at, seesStaff }), {
      format,
      language: ctx.language,
      questions: listQuestionColumns(ctx, placed, seesStaff),
      columns: chooseColumns(placed, personal ? [...COLUMNS, ...PERSONAL_COLUMNS] : COLUMNS),
    }),
  }
}

/** The file for everybody: only what is published, without names. */
export function exportPublished(ctx: Ctx, placed: PlacedActivity, format: OpenFormat): DownloadFile {
  const { activity, project } = placed
  return {
    filename: `${activity.slug}.${format}`,
    type: FILE_TYPES[format],
    pieces: streamFile(readPages(ctx, placed, { personal: false, at: ctx.now(), publishedOnly: true, seesStaff: false }), {
      format,
      language: ctx.language,
      questions: listQuestionColumns(ctx, placed, false),
      columns: chooseColumns(placed, OPEN_COLUMNS),
      licence: OPEN_LICENCE,
      address: (number) => buildSiteUrl(ctx, `/projects/${project.slug}/${activity.slug}/${number}`),
    }),
    isOpen: true,
  }
}

/** What a file says of a contribution. Names of columns and members of the JSON are the same. */
interface ExportedContribution {
  number: number
  state: string
  title: string
  text: string
  categories: string[]
  area: string | null
  place: string | null
  longitude: number | null
  latitude: number | null
  shown_name: string | null
  language: string
  source: string
  supports: number
  disagrees: number
  replies: number
  submitted_at: string
  published_at: string | null
  photos: string[]
  merged_into: number | null
  status: string | null
  answer: string | null
  answered_by: string | null
  answered_at: string | null
  /** Answers to extra questions, by id. */
  fields?: Record<string, string | number>
  login?: string | null
  email?: string | null
}

interface ExportedRow {
  contribution: ExportedContribution
  geometry: unknown
}

const COLUMNS = [
  'number',
  'state',
  'title',
  'text',
  'categories',
  'area',
  'place',
  'longitude',
  'latitude',
  'shown_name',
  'language',
  'source',
  'supports',
  'disagrees',
  'replies',
  'submitted_at',
  'published_at',
  'photos',
  'merged_into',
  'status',
  'answer',
  'answered_by',
  'answered_at',
] as const satisfies readonly (keyof ExportedContribution)[]
const FIGURE_COLUMNS = [
  { heading: 'supports', figure: 'supports' },
  { heading: 'disagrees', figure: 'disagreements' },
  { heading: 'replies', figure: 'replies' },
] as const satisfies readonly { heading: Column; figure: Figure }[]
const PERSONAL_COLUMNS = ['login', 'email'] as const

/** What a file for everybody leaves out: names, and what does not differ. */
const OPEN_COLUMNS = COLUMNS.filter((column) => !['state', 'shown_name', 'source', 'submitted_at', 'merged_into'].includes(column))

type Pages = AsyncIterable<readonly ExportedRow[]>
type Column = Exclude<keyof ExportedContribution, 'fields'>

/** Leaves out `disagrees` if the activity asks for support. */
const chooseColumns = ({ activity }: PlacedActivity, columns: readonly Column[]): Column[] =>
  columns.filter((column) => column !== 'disagrees' || readActivitySettings(activity).tools.reactions.includes('disagree'))

interface QuestionColumn {
  id: string
  /** Title and id, as in the files of surveys. */
  heading: string
}

const listQuestionColumns = (ctx: Ctx, { activity }: PlacedActivity, seesStaff: boolean): QuestionColumn[] =>
  readExtraQuestions(activity)
    .filter(({ shownTo }) => seesStaff || shownTo === 'public')
    .map(({ id, title }) => ({ id, heading: `${getTranslation(title, ctx.contentLanguage, ctx.site.locale)} [${id}]` }))

interface FileLayout {
  format: ActivityFormat
  /** Of the explanations in it. */
  language: Language
  columns: readonly Column[]
  questions: readonly QuestionColumn[]
  /** The page of a contribution, where the file names it. */
  address?: (number: number) => string
  /** The address of the licence, where the file names one. */
  licence?: string
}

function streamFile(pages: Pages, { format, language, columns, questions, address, licence }: FileLayout): AsyncGenerator<Uint8Array> {
  const heads = [...columns, ...(address ? ['page'] : []), ...questions.map(({ heading }) => heading)]
  const toMembers = ({ contribution }: ExportedRow, omitted: readonly Column[] = []) => ({
    ...Object.fromEntries(columns.filter((column) => !omitted.includes(column)).map((column) => [column, contribution[column] ?? null])),
    ...(address && { page: address(contribution.number) }),
  })
  const toCells = (row: ExportedRow): CsvCell[] =>
    [...Object.values(toMembers(row)), ...questions.map(({ id }) => row.contribution.fields?.[id] ?? null)].map((value) =>
      Array.isArray(value) ? value.join('; ') : (value ?? null),
    )
  const toAnswers = ({ contribution: { fields } }: ExportedRow) => (questions.length > 0 ? { fields: fields ?? {} } : {})
  const head = licence ? `"licence":${JSON.stringify(licence)},` : ''
  switch (format) {
    case 'xlsx':
      return streamWorkbook([
        { name: 'contributions', heads, rows: mapPages(pages, toCells) },
        createFigureSheet(
          language,
          FIGURE_COLUMNS.filter(({ heading }) => columns.includes(heading)),
        ),
      ])
    case 'csv':
      return streamCsv(heads, pages, toCells)
    case 'json':
      return streamList(`{${head}"contributions":[\n`, pages, (row) =>
        JSON.stringify({ ...toMembers(row), ...toAnswers(row), geometry: row.geometry }),
      )
    case 'geojson':
      return streamList(`{"type":"FeatureCollection",${head}"features":[\n`, placedOnly(pages), (row) =>
        JSON.stringify({
          type: 'Feature',
          id: row.contribution.number,
          geometry: row.geometry,
          properties: { ...toMembers(row, ['longitude', 'latitude']), ...toAnswers(row) },
        }),
      )
  }
}

async function* mapPages<T>(pages: Pages, map: (row: ExportedRow) => T): AsyncGenerator<T[]> {
  for await (const page of pages) yield page.map(map)
}

async function* placedOnly(pages: Pages): AsyncGenerator<ExportedRow[]> {
  for await (const page of pages) yield page.filter(({ geometry }) => geometry !== null)
}

async function* streamCsv(columns: readonly string[], pages: Pages, toCells: (row: ExportedRow) => CsvCell[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(BYTE_ORDER_MARK + formatCsvLine(columns))
  for await (const rows of pages) yield encodeLines(rows, (row) => formatCsvLine(toCells(row)))
}

async function* streamList(head: string, pages: Pages, format: (row: ExportedRow) => string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(head)
  let isFirst = true
  for await (const rows of pages) {
    const isStart = isFirst
    if (rows.length > 0) isFirst = false
    yield encodeLines(rows, (row, index) => `${isStart && index === 0 ? '' : ',\n'}${format(row)}`)
  }
  yield Buffer.from('\n]}\n')
}

interface ReadOptions {
  personal: boolean
  /** Nothing that was sent later. */
  at: Date
  publishedOnly?: boolean
  /** Include answers that are for the team only. */
  seesStaff: boolean
}

/** Pages of rows by number, as they were when the file was requested. */
async function* readPages(
  ctx: Ctx,
  placed: PlacedActivity,
  { personal, at, publishedOnly = false, seesStaff }: ReadOptions,
): AsyncGenerator<ExportedRow[]> {
  const toRow = createRowMapper(ctx, placed, { personal, seesStaff })
  for (let after = 0; ;) {
    const from = after
    const { rows, photos } = await ctx.db.read(async (tx) => {
      const read = await readRows(ctx, tx, placed, { from, at, publishedOnly })
      const ids = read.map(({ row }) => row.id)
      return { rows: read, photos: await loadPhotos(ctx, tx, ids) }
    })
    if (rows.length > 0) yield rows.map((row) => toRow(row, photos.get(row.row.id) ?? []))
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_AT_ONCE) return
    after = last.row.number
  }
}

interface ReadPageOptions {
  /** After this number. */
  from: number
  at: Date
  publishedOnly: boolean
}

const targets = alias(contributions, 'target')

function readRows(ctx: Ctx, tx: Tx, { activity }: PlacedActivity, { from, at, publishedOnly }: ReadPageOptions) {
  return tx
    .select({
      row: contributions,
      area: areas.name,
      mergedInto: targets.number,
      status: contributionStatuses.title,
      answer: { text: officialResponses.text, team: officialResponses.team, at: officialResponses.createdAt },
      login: users.login,
      email: users.email,
    })
    .from(contributions)
    .leftJoin(areas, and(eq(areas.siteId, contributions.siteId), eq(areas.id, contributions.areaId)))
    .leftJoin(targets, and(eq(targets.siteId, contributions.siteId), eq(targets.id, contributions.mergedInto)))
    .leftJoin(
      contributionStatuses,
      and(eq(contributionStatuses.siteId, contributions.siteId), eq(contributionStatuses.id, contributions.statusId)),
    )
    .leftJoin(
      officialResponses,
      and(
        eq(officialResponses.siteId, contributions.siteId),
        eq(officialResponses.contributionId, contributions.id),
        // Only the author reads a private answer.
        sql`${officialResponses.version} = (select max(o.version) from official_responses o
          where o.site_id = ${contributions.siteId} and o.contribution_id = ${contributions.id} and o.visibility = 'public' and o.withdrawn_at is null)`,
      ),
    )
    .leftJoin(users, and(eq(users.siteId, contributions.siteId), eq(users.id, contributions.authorId)))
    .where(
      and(
        eq(contributions.siteId, ctx.site.id),
        eq(contributions.activityId, activity.id),
        gt(contributions.number, from),
        lte(contributions.submittedAt, at),
        publishedOnly ? isPublished : undefined,
      ),
    )
    .orderBy(asc(contributions.number))
    .limit(ROWS_AT_ONCE)
}

type ReadRow = Awaited<ReturnType<typeof readRows>>[number]

function createRowMapper(ctx: Ctx, { activity }: PlacedActivity, { personal, seesStaff }: Pick<ReadOptions, 'personal' | 'seesStaff'>) {
  const { settings, tools } = readActivitySettings(activity)
  const translate = (text: Parameters<typeof getTranslation>[0]) => getTranslation(text, ctx.contentLanguage, ctx.site.locale) || null
  const describeAnswer = (answer: ReadRow['answer']) => ({
    answer: answer ? translate(answer.text) : null,
    answered_by: answer ? translate(answer.team) : null,
    answered_at: answer?.at.toISOString() ?? null,
  })
  return ({ row, area, mergedInto, status, answer, login, email }: ReadRow, photos: readonly PhotoView[]): ExportedRow => {
    const isReadable = personal || (row.state !== 'declined' && row.state !== 'removed')
    return {
      geometry: isReadable ? row.geometry : null,
      contribution: {
        number: row.number,
        state: row.state,
        title: isReadable ? row.title : '',
        text: isReadable ? row.body : '',
        categories: settings.categories.filter(({ id }) => row.categories.includes(id)).map(({ title }) => translate(title) ?? ''),
        area,
        place: (isReadable && row.placeText) || null,
        longitude: isReadable ? row.lng : null,
        latitude: isReadable ? row.lat : null,
        shown_name: (isReadable && row.shownName) || null,
        language: row.language,
        source: row.source,
        supports: row.supports,
        disagrees: row.disagrees,
        replies: row.repliesCount,
        submitted_at: row.submittedAt.toISOString(),
        published_at: row.publishedAt?.toISOString() ?? null,
        photos: isReadable ? photos.map(({ id }) => buildSiteUrl(ctx, buildPhotoAddress(id))) : [],
        merged_into: mergedInto,
        status: tools.answers && status ? translate(status) : null,
        ...describeAnswer(answer),
        fields: isReadable ? listExportedAnswers(ctx, activity, row.fields, { staff: seesStaff }) : {},
        ...(personal && { login, email }),
      },
    }
  }
}

/** Download route: the format is in the path; `?personal=true` includes who wrote it. */
export function downloadActivity({
  context: { ctx },
  params,
  request,
}: {
  context: RequestContext
  params: { activity: string; format: string }
  request: Request
}): Promise<Response> {
  return createFileResponse(ctx, () => {
    const { activity, format } = params
    if (!isActivityFormat(format)) throw new AppError('not-found')
    return exportActivity(ctx, activity, { format, personal: new URL(request.url).searchParams.get('personal') === 'true' })
  })
}
