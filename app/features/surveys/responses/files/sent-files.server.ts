import { and, asc, count, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { isId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responseFiles, responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { readReceiptCode } from '#app/features/participation/receipt-cookies.server.ts'
import { recordSurveyAudit } from '#app/features/surveys/managing/editing.server.ts'
import type { responseFileShape } from './response-files.api.schema.ts'
import { type FileRow, isNamedSql, buildStorageKey } from './response-files.server.ts'

/** A file and when its response was sent. */
export interface FileRecord extends FileRow {
  submittedAt: Date
}

const joins = {
  response: and(eq(responses.siteId, responseFiles.siteId), eq(responses.id, responseFiles.heldBy)),
  survey: and(eq(surveys.siteId, responses.siteId), eq(surveys.id, responses.surveyId)),
  project: and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)),
}

const selectFiles = (tx: Tx) =>
  tx
    .select({ ...getTableColumns(responseFiles), submittedAt: responses.submittedAt })
    .from(responseFiles)
    .innerJoin(responses, joins.response)
    .innerJoin(surveys, joins.survey)
    .innerJoin(projects, joins.project)

/** Files of responses the viewer may see, plus their own. */
function whereVisible(ctx: Ctx): SQL | undefined {
  const inScope = scopeWhere(ctx.viewer, 'responses.see', { hub: projects.hubId, project: projects.id })
  const own = ctx.viewer.kind === 'user' ? eq(responses.userId, ctx.viewer.id) : undefined
  return and(eq(responseFiles.siteId, ctx.site.id), isNamedSql, inScope && or(inScope, own))
}

export const loadFiles = (ctx: Ctx, ids: readonly string[]): Promise<FileRecord[]> =>
  ctx.db.read((tx) => selectFiles(tx).where(and(whereVisible(ctx), inArray(responseFiles.id, [...ids]))))

export function listFiles(ctx: Ctx, { filter, sort, page }: ListQuery<typeof responseFileShape>): Promise<ListResult<FileRecord>> {
  const where = and(
    whereVisible(ctx),
    filter.survey ? eq(responseFiles.surveyId, filter.survey) : undefined,
    filter.response ? eq(responseFiles.heldBy, filter.response) : undefined,
    filter.question === undefined ? undefined : eq(responseFiles.question, filter.question),
  )
  const columns: Record<(typeof sort)[number]['by'], SQL> = {
    submittedAt: sql`${responses.submittedAt}`,
    bytes: sql`${responseFiles.bytes}`,
  }
  const order = sort.map(({ by, descending }) => sql`${columns[by]} ${sql.raw(descending ? 'desc' : 'asc')}`)
  return ctx.db.read(async (tx) => {
    const rows = await selectFiles(tx)
      .where(where)
      .orderBy(...order, asc(responseFiles.id))
      .limit(page.limit)
      .offset(page.offset)
    const [all] = await tx
      .select({ total: count() })
      .from(responseFiles)
      .innerJoin(responses, joins.response)
      .innerJoin(surveys, joins.survey)
      .innerJoin(projects, joins.project)
      .where(where)
    return { rows, total: all?.total ?? 0 }
  })
}

interface OpenedFile {
  name: string
  mediaType: string
  bytes: Buffer
}

/**
 * A file that a response references, for people who may see the response, the account that sent it, and the holder of its receipt.
 * Downloads by administrators are recorded in the audit trail. Undefined for everybody else, and if there is none.
 */
export async function openFile(ctx: Ctx, id: string, receipt: string | undefined): Promise<OpenedFile | undefined> {
  if (!isId(id)) return undefined
  const row = await ctx.db.tx(async (tx) => {
    const [found] = await tx
      .select({ file: responseFiles, response: responses, survey: surveys, project: projects })
      .from(responseFiles)
      .innerJoin(responses, joins.response)
      .innerJoin(surveys, joins.survey)
      .innerJoin(projects, joins.project)
      .where(and(eq(responseFiles.siteId, ctx.site.id), eq(responseFiles.id, id), isNamedSql))
    if (!found) return undefined
    const { file, response, survey, project } = found
    const code = parseReceiptCode(receipt ?? '')
    const isGiver =
      (ctx.viewer.kind === 'user' && response.userId === ctx.viewer.id) ||
      (code !== undefined && hashReceiptCode(ctx.site.id, code).equals(response.receiptHash))
    if (isGiver) return file
    if (!checkPermission(ctx.viewer, 'responses.see', toPermissionTarget(project)).ok) return undefined
    await recordSurveyAudit(ctx, tx, { survey, project }, 'responses.file', { response: response.id, file: id })
    return file
  })
  const bytes = row && (await openStorage(ctx.runtime.env).get(buildStorageKey(row)))
  return row && bytes && { name: row.name, mediaType: row.mediaType, bytes }
}

const FILE_HEADERS = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
}

/** Sent as a download, never displayed inline. */
export async function downloadAnswerFile({
  context: { ctx },
  params,
}: {
  context: RequestContext
  params: { id: string }
}): Promise<Response> {
  const file = await openFile(ctx, params.id, readReceiptCode())
  if (!file) return new Response(null, { status: 404, headers: FILE_HEADERS })
  const plain = file.name.replace(/[^\w. -]/g, '_')
  const disposition = `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file.name).replace(/['()*]/g, percentEncode)}`
  return new Response(new Uint8Array(file.bytes), {
    headers: {
      ...FILE_HEADERS,
      'content-type': file.mediaType,
      'content-length': String(file.bytes.length),
      'content-disposition': disposition,
    },
  })
}

const percentEncode = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
