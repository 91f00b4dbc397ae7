import { sql } from 'drizzle-orm'
import { loadPlaceSquares } from '#app/features/contributions/results/place-squares.server.ts'
import type { PlaceSquares } from '#app/features/contributions/results/activity-results.schema.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { Describe } from './describe-report.server.ts'
import type { ReportBlock } from './report.schema.ts'

/** Contributions with places that everyone can read, sent in these days: the squares of each activity's own results, over all projects. */
export const loadReportPlaces = (
  ctx: Ctx,
  tx: Tx,
  { projects, from, until }: { projects: readonly string[]; from: Date; until: Date },
): Promise<PlaceSquares> =>
  loadPlaceSquares(
    ctx,
    tx,
    sql`c.site_id = ${ctx.site.id} and c.state in ('published', 'merged')
      and c.submitted_at >= ${from.toISOString()}::timestamptz and c.submitted_at < ${until.toISOString()}::timestamptz
      and c.activity_id in (
        select id from activities where site_id = ${ctx.site.id} and project_id = any (${sql.param([...projects])}::uuid[]))`,
  )

/** The map, and the same as a table. Undefined if no contribution has a place. */
export const describePlaces: Describe = ({ places }, { t, count, format, figure }) => {
  if (!places || places.placed === 0) return undefined
  const { picture, squares, placed, shown } = places
  const caption = t('captions.places')
  const text = t('places.shown', { shown: format.number(shown), placed: format.number(placed) })
  if (squares.length === 0) return { blocks: [{ kind: 'text', text }], figures: ['contributions'] }
  const nameSquare = ({ area, lat, lng }: (typeof squares)[number]) =>
    t('places.square', { area: area || t('places.no-area'), north: format.number(lat), east: format.number(lng) })
  const [fullest] = squares
  const marks = squares.map(({ corners, count: number }) => ({ corners, text: format.number(number) }))
  const map: ReportBlock[] = picture
    ? [
        {
          kind: 'map',
          caption,
          alternative: t('alternatives.places', {
            count: squares.length,
            number: format.number(squares.length),
            square: fullest ? nameSquare(fullest) : '',
            most: format.number(fullest?.count ?? 0),
          }),
          picture,
          squares: marks,
        },
      ]
    : []
  return {
    blocks: [
      ...map,
      {
        kind: 'table',
        caption: t('captions.places-table'),
        heads: [t('heads.square'), figure('contributions')],
        rows: squares.map((square) => [{ text: nameSquare(square), value: nameSquare(square) }, count(square.count)]),
      },
      { kind: 'text', text },
    ],
    figures: ['contributions'],
  }
}
