import { and, asc, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { localiseText, type LocalisedText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityDatasetRows } from '#app/server/db/schema/opencities.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { type CellFormatting, formatCell, createCellFormatting } from './format-cell.ts'
import { isInCopy, listShownColumns } from './copy-columns.server.ts'
import type { DatasetRow } from './datasets.server.ts'
import { type Cell, NUMERIC_TYPES } from './opencities.schema.ts'
import {
  loadPublishedDatasetRows,
  findListedDataset,
  type PublishedDataset,
  toDatasetTeaser,
  findVisibleProject,
} from './published-datasets.server.ts'
import { readChart, readMap } from './dataset-drawings.server.ts'
import type { DatasetFigure, DrawnChart, DrawnMap, DrawnTable, FigureForm } from './dataset-views.schema.ts'

/** Rows and places shown next to other content; the full table has its own page. */
const PREVIEW_ROWS = 6

/** One published dataset drawn as requested, or as best it can be; null if the viewer would not see it in lists. */
export async function readFigure(ctx: Ctx, input: { id: string; form: FigureForm }): Promise<DatasetFigure | null> {
  return ctx.db.read(async (tx) => {
    const found = await findListedDataset(ctx, tx, input.id)
    return found ? buildFigure(ctx, tx, found, input.form) : null
  })
}

/** Every published dataset of a project, drawn. @throws {AppError} `not-found` if the viewer may not see the project */
export async function readFiguresOfProject(
  ctx: Ctx,
  input: { project: string },
): Promise<{ title: LocalisedText; figures: DatasetFigure[] }> {
  return ctx.db.read(async (tx) => {
    const project = await findVisibleProject(ctx, tx, { slug: input.project })
    if (!project) throw new AppError('not-found')
    const figures: DatasetFigure[] = []
    for (const found of await loadPublishedDatasetRows(ctx, tx, input.project)) figures.push(await buildFigure(ctx, tx, found, 'chart'))
    return { title: localiseText(project.title, ctx.contentLanguage, ctx.site.locale), figures }
  })
}

async function buildFigure(ctx: Ctx, tx: Tx, found: PublishedDataset, form: FigureForm): Promise<DatasetFigure> {
  const t = getTranslator(ctx.language, 'city-data')
  const { timeZone, region } = ctx.site
  const words = createCellFormatting({ language: ctx.language, timeZone, region, yes: t('yes'), no: t('no') })
  const { slug, title, description, publisher, sourceUrl, licence, licenceUrl, synchronisedAt, failing, rows } = toDatasetTeaser(ctx, found)
  const drawing = await drawFigure(ctx, tx, found.row, form, words)
  const source = publisher || (sourceUrl ? new URL(sourceUrl).hostname : '')
  const date = words.format.date(synchronisedAt)
  return {
    slug,
    title,
    description,
    facts: [
      ...(source ? [{ term: t('facts.source'), text: source, href: sourceUrl }] : []),
      { term: t('facts.licence'), text: licence || licenceUrl || t('facts.no-licence'), href: licenceUrl },
      { term: t('facts.copied'), text: date, href: null },
    ],
    stale: failing ? t('figure.stale', { date }) : null,
    drawing,
    words: {
      bar: t('chart.bar'),
      figures: t('chart.table'),
      places:
        drawing.form === 'map'
          ? t('figure.places', { count: drawing.points.length, number: words.format.number(drawing.points.length) })
          : '',
      whole: t('figure.whole', { count: rows, number: words.format.number(rows) }),
    },
  }
}

/** The requested drawing; if there is no data for it, the first possible of chart, map and table. */
async function drawFigure(ctx: Ctx, tx: Tx, row: DatasetRow, form: FigureForm, words: CellFormatting): Promise<DatasetFigure['drawing']> {
  const inOrder: FigureForm[] = form === 'map' ? ['map', 'chart'] : ['chart', 'map']
  for (const one of form === 'table' ? [] : inOrder) {
    const drawing = one === 'chart' ? await drawChart(ctx, tx, row, words) : await drawMap(ctx, tx, row, words)
    if (drawing) return drawing
  }
  return drawTable(ctx, row, await loadFirstRows(ctx, tx, row), words)
}

async function drawChart(ctx: Ctx, tx: Tx, row: DatasetRow, words: CellFormatting): Promise<DrawnChart | null> {
  const chart = await readChart(ctx, tx, row)
  if (!chart) return null
  const [label, values] = [chart.label.name.text, chart.values.name.text]
  return {
    form: chart.form,
    title: getTranslator(ctx.language, 'city-data')('chart.title', { values, label }),
    label,
    values,
    points: chart.points.map((point) => ({
      name: formatCell(point.label, chart.label.type, words),
      value: point.value,
      counted: words.format.number(point.value),
    })),
  }
}

async function drawMap(ctx: Ctx, tx: Tx, row: DatasetRow, words: CellFormatting): Promise<DrawnMap | null> {
  const cells = await loadFirstRows(ctx, tx, row)
  const map = await readMap(ctx, tx, row, isInCopy(ctx, row), cells)
  if (!map) return null
  const columns = listShownColumns(ctx, row)
  return {
    form: 'map',
    background: map.background,
    points: map.points,
    places: map.ofRows.flatMap((point, at) => {
      const row = cells[at]
      return point && row ? [{ point, name: namePlace(row, columns, words) }] : []
    }),
  }
}

/** The first text of its row, or where it lies. */
function namePlace(row: readonly Cell[], columns: ReturnType<typeof listShownColumns>, words: CellFormatting): string {
  const named = columns.find(({ view, index }) => view.type === 'text' && row[index])
  const shown = named ?? columns.find(({ view }) => view.type === 'place')
  return shown ? formatCell(row[shown.index] ?? null, shown.view.type, words) : ''
}

function drawTable(ctx: Ctx, row: DatasetRow, cells: readonly Cell[][], words: CellFormatting): DrawnTable {
  const shown = listShownColumns(ctx, row)
  return {
    form: 'table',
    columns: shown.map(({ view }) => ({ name: view.name, numeric: NUMERIC_TYPES.has(view.type) })),
    rows: cells.map((one) => shown.map(({ index, view }) => formatCell(one[index] ?? null, view.type, words))),
  }
}

async function loadFirstRows(ctx: Ctx, tx: Tx, row: DatasetRow): Promise<Cell[][]> {
  const found = await tx
    .select({ cells: cityDatasetRows.cells })
    .from(cityDatasetRows)
    .where(and(isInCopy(ctx, row), sql`${cityDatasetRows.position} < ${PREVIEW_ROWS}`))
    .orderBy(asc(cityDatasetRows.position))
  return found.map((one) => one.cells as Cell[])
}
