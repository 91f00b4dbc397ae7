import { recordAudit } from '#app/features/audit/audit.server.ts'
import { createFigureSheet } from '#app/server/figure-sheet.ts'
import { streamWorkbook, type Sheet, yieldRows } from '#app/server/workbook.ts'
import { createFileResponse } from '#app/server/file-response.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isAgeGroup } from '#app/lib/age-groups.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import type { Reach, ReachRow } from './reach.schema.ts'
import { parsePlaceParam, readReachSearch } from './reach.search.ts'
import { readReach } from './reach.server.ts'

const EVERY_PROJECT = 100_000
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const LEVELS = ['aware', 'informed', 'engaged'] as const
type Rows = (string | number | null)[][]

/** The requested report as a workbook: one sheet per table, limited to what the viewer may see. Each download is audited. */
export function serveReachReport({ context: { ctx }, request }: { context: RequestContext; request: Request }): Promise<Response> {
  return createFileResponse(ctx, async () => {
    const { place, days = 30 } = readReachSearch(Object.fromEntries(new URL(request.url).searchParams))
    const reach = await readReach(ctx, { place: parsePlaceParam(place), days, mostProjects: EVERY_PROJECT })
    if (!reach) throw new AppError('not-found')
    const { kind, id } = reach.place
    await ctx.db.tx((tx) =>
      recordAudit(ctx, tx, {
        action: 'reach.export',
        ...(kind === 'hub' ? { hubId: id } : kind === 'project' ? { projectId: id } : {}),
        detail: { place: `${kind}.${id}`, days },
      }),
    )
    return { filename: `reach-${reach.until}.xlsx`, type: XLSX, pieces: streamWorkbook(buildSheets(ctx, reach)) }
  })
}

function buildSheets(ctx: Ctx, reach: Reach): Sheet[] {
  const t = getTranslator(ctx.language, 'reach')
  const admin = getTranslator(ctx.language, 'admin')
  const levels = LEVELS.map((level) => admin(`figures.${level}.name`))
  const toPlaceRows = (rows: readonly ReachRow[]): Rows =>
    rows.map(({ title, aware, informed, engaged }) => [title, aware, informed, engaged])
  const buildSheet = (name: string, head: string, rows: Rows, heads = levels): Sheet => ({
    name,
    heads: [head, ...heads],
    rows: yieldRows(rows),
  })
  const { totals } = reach
  return [
    buildSheet(t('title'), t('place'), [[reach.place.title, totals.aware, totals.informed, totals.engaged]]),
    buildSheet(
      t('day'),
      t('day'),
      reach.days.map(({ day, aware, informed, engaged }) => [day, aware, informed, engaged]),
    ),
    ...(reach.place.kind === 'project' ? [] : [buildSheet(t('project'), t('project'), toPlaceRows(reach.projects))]),
    ...(reach.place.kind === 'site'
      ? [buildSheet(t('hub'), t('hub'), toPlaceRows(reach.hubs)), buildSheet(t('topic'), t('topic'), toPlaceRows(reach.topics))]
      : []),
    buildSheet(
      t('language'),
      t('language'),
      reach.languages.map(({ language, aware, informed, engaged }) => [getLanguageName(language), aware, informed, engaged]),
    ),
    buildSheet(
      t('source'),
      t('source'),
      reach.sources.map(({ source, aware, informed }) => [t(`sources.${source}`), aware, informed]),
      levels.slice(0, 2),
    ),
    buildSheet(
      t('campaign'),
      t('campaign'),
      reach.campaigns.map(({ campaign, aware, informed }) => [campaign, aware, informed]),
      levels.slice(0, 2),
    ),
    ...(reach.answers.length > 0
      ? [
          buildSheet(
            t('said.sheet'),
            t('said.question'),
            reach.answers.flatMap(({ title, options }) =>
              options.map(({ option, label, people }) => [
                title,
                label ?? (isAgeGroup(option) ? admin(`age-groups.${option}`) : option),
                people ?? t('said.few'),
              ]),
            ),
            [t('said.answer'), t('said.people')],
          ),
        ]
      : []),
    createFigureSheet(
      ctx.language,
      LEVELS.map((figure) => ({ figure })),
    ),
  ]
}
