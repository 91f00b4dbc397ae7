import { sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { createFileResponse } from '#app/server/file-response.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { streamWorkbook, type WorkbookCell, yieldRows } from '#app/server/workbook.ts'
import { requireProjectFor } from './heard.policy.server.ts'
import { countThemes, IS_LIVE, LIVE_EVIDENCE, loadProjectThemes } from './theme-figures.server.ts'
import { loadThemeNames } from './theme-names.server.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const ROWS_AT_ONCE = 500

const PASSAGE_HEADS = ['theme', 'source', 'source_id', 'question', 'version', 'start', 'end', 'passage', 'state', 'quoted', 'coded_at']

/** The codebook of a project and every coded passage, as a workbook, without who wrote it. Each download is audited. */
export function serveCodes({ context: { ctx }, params }: { context: RequestContext; params: { id: string } }): Promise<Response> {
  return createFileResponse(ctx, async () => {
    if (!isId(params.id)) throw new AppError('not-found')
    const { slug, themes, names } = await ctx.db.tx(async (tx) => {
      const project = await requireProjectFor(ctx, tx, 'responses.see', params.id)
      await recordAudit(ctx, tx, {
        action: 'themes.export',
        subject: { type: 'projects', id: project.id },
        hubId: project.hubId,
        projectId: project.id,
      })
      const rows = await loadProjectThemes(ctx, tx, project.id)
      const figures = await countThemes(ctx, tx, project.id, rows)
      const found = await loadThemeNames(ctx, tx, project.id)
      const t = getTranslator(ctx.language, 'heard-admin')
      const codebook = rows
        .filter(({ mergedInto }) => mergedInto === null)
        .map(({ id, stance }): WorkbookCell[] => {
          const { people = 0, passages = 0 } = figures.get(id) ?? {}
          return [found.get(id) ?? '', t(`stances.${stance}`), people, passages]
        })
      return { slug: project.slug, themes: codebook, names: found }
    })
    return {
      filename: `${slug}-codes.xlsx`,
      type: XLSX,
      pieces: streamWorkbook([
        { name: 'codebook', heads: ['theme', 'stance', 'people', 'passages'], rows: yieldRows(themes) },
        { name: 'passages', heads: PASSAGE_HEADS, rows: readPassages(ctx, params.id, names) },
      ]),
    }
  })
}

type PassageRow = {
  id: string
  theme: string
  source: string
  source_id: string
  question: string
  version: number
  start_at: number
  end_at: number
  passage: string
  state: string
  is_quoted: boolean
  created_at: string
}

async function* readPassages(ctx: Ctx, projectId: string, names: ReadonlyMap<string, string>): AsyncGenerator<WorkbookCell[][]> {
  let after: string | undefined
  do {
    const last: string | undefined = after
    const rows = await ctx.db.read(async (tx) => {
      const found = await tx.execute<PassageRow>(sql`
        select e.id, e.theme_id as theme, e.source, coalesce(e.response_id, e.contribution_id, e.reply_id) as source_id, e.question, e.version,
          e.start_at, e.end_at, e.state, e.is_quoted, e.created_at::text as created_at,
          case when e.quote <> '' then e.quote
            else coalesce(written_answer(r.answers, e.question), p.body, contribution_text(c.title, c.body), '') end as passage
        from ${LIVE_EVIDENCE}
        where e.site_id = ${ctx.site.id} and e.project_id = ${projectId} and ${IS_LIVE} ${last ? sql`and e.id > ${last}` : sql``}
        order by e.id limit ${ROWS_AT_ONCE}`)
      return found.rows
    })
    if (rows.length > 0)
      yield rows.map((row) => [
        names.get(row.theme) ?? '',
        row.source,
        row.source_id,
        row.question,
        row.version,
        row.start_at,
        row.end_at,
        row.passage,
        row.state,
        row.is_quoted ? 1 : 0,
        row.created_at,
      ])
    after = rows.length === ROWS_AT_ONCE ? rows.at(-1)?.id : undefined
  } while (after)
}
