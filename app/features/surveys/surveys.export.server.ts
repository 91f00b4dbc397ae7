import { stringify } from 'csv-stringify/sync'
import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import { authorize } from '#app/features/permissions/permissions.policy.server.ts'
import { placeOf } from '#app/features/projects/projects.policy.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { translator } from '#app/server/i18n.ts'
import type { Ctx } from '#app/server/context.ts'
import { responses, users } from '#app/server/db/schema.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { type CellValue, columnsOf } from './surveys.columns.ts'
import { noteSurvey } from './surveys.editing.server.ts'
import { seeSurveyAs } from './surveys.policy.server.ts'
import type { Answers } from './surveys.schema.ts'
import { versionsOf } from './surveys.versions.server.ts'

const ROWS_AT_ONCE = 1000
/** So that a spreadsheet reads the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

export interface Export {
  filename: string
  /** The file in pieces, read from the database as they are taken. */
  chunks: AsyncGenerator<string>
}

/**
 * Every response of a survey as a CSV file, as it stood when it was asked for. It is noted in the audit trail.
 * @param personal with the names and e-mail addresses of those who answered with an account
 * @throws {AppError} `not-found`, `forbidden`
 */
export async function exportResponses(ctx: Ctx, input: { surveyId: string; personal: boolean }): Promise<Export> {
  const now = ctx.now()
  const { survey, everything } = await ctx.db.tx(async (tx) => {
    const placed = await seeSurveyAs(ctx, tx, 'responses.see', input.surveyId)
    if (input.personal) authorize(ctx.viewer, 'responses.export-personal', placeOf(placed.project))
    await noteSurvey(ctx, tx, placed, 'responses.export', { personal: input.personal, format: 'csv' })
    return { survey: placed.survey, ...(await versionsOf(tx, ctx.site.id, placed.survey.id)) }
  })
  const columns = columnsOf(everything, ctx.language, ctx.site.locale)
  const own = ['response', 'submitted_at', 'language', 'version', 'source', 'seconds', ...(input.personal ? ['login', 'email'] : [])]
  async function* chunks(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csv([[...own, ...columns.map((column) => column.heading)]])
    let last: Row | undefined
    do {
      // oxlint-disable-next-line no-await-in-loop -- one page after the other, as fast as they are taken
      const rows = await readRows(ctx, survey.id, now, last)
      if (rows.length > 0) {
        yield csv(rows.map((row) => [...ownValues(row, input.personal), ...columns.map((column) => column.value(row.answers as Answers))]))
      }
      last = rows.length === ROWS_AT_ONCE ? rows.at(-1) : undefined
    } while (last)
  }
  return { filename: `${survey.slug}-${now.toISOString().slice(0, 10)}.csv`, chunks: chunks() }
}

type Row = Awaited<ReturnType<typeof readRows>>[number]

/** The next page of responses that had arrived by `until`, oldest first. */
function readRows(ctx: Ctx, surveyId: string, until: Date, after: { at: string; id: string } | undefined) {
  return ctx.db.tx((tx) =>
    tx
      .select({
        id: responses.id,
        submittedAt: responses.submittedAt,
        /** To the microsecond, which a Date does not hold. */
        at: sql<string>`${responses.submittedAt}::text`,
        language: responses.language,
        version: responses.version,
        source: responses.source,
        seconds: responses.seconds,
        answers: responses.answers,
        login: users.login,
        email: users.email,
      })
      .from(responses)
      .leftJoin(users, and(eq(users.siteId, responses.siteId), eq(users.id, responses.userId)))
      .where(
        and(
          eq(responses.siteId, ctx.site.id),
          eq(responses.surveyId, surveyId),
          isNull(responses.withdrawnAt),
          lte(responses.submittedAt, until),
          after && sql`(${responses.submittedAt}, ${responses.id}) > (${after.at}::timestamptz, ${after.id}::uuid)`,
        ),
      )
      .orderBy(asc(responses.submittedAt), asc(responses.id))
      .limit(ROWS_AT_ONCE),
  )
}

const ownValues = (row: Row, personal: boolean): CellValue[] => [
  row.id,
  row.submittedAt.toISOString(),
  row.language,
  row.version,
  row.source,
  row.seconds,
  ...(personal ? [row.login, row.email] : []),
]

const csv = (rows: CellValue[][]): string => stringify(rows, { escape_formulas: true, record_delimiter: 'windows' })

/** The pieces as bytes, each made when it is taken; who stops reading stops the making. */
function streamOf(chunks: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}

/** The file as an answer to a link; without permission, what is wrong in the reader's language. */
export async function responsesFile({
  context,
  params,
  request,
}: {
  context: RequestContext
  params: { survey: string }
  request: Request
}): Promise<Response> {
  const { ctx } = context
  const headers = { 'cache-control': 'private, no-store' }
  try {
    const personal = new URL(request.url).searchParams.get('personal') === 'true'
    const { filename, chunks } = await exportResponses(ctx, { surveyId: params.survey, personal })
    return new Response(streamOf(chunks), {
      headers: { ...headers, 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="${filename}"` },
    })
  } catch (error) {
    if (!isAppError(error)) throw error
    const text = translator(ctx.language, 'errors')(`codes.${error.code}`)
    return new Response(text, { status: error.status, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' } })
  }
}
