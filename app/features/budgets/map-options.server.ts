import { createHash } from 'node:crypto'
import { readSiteMap } from '#app/features/areas/map/site-map.server.ts'
import { drawPlaces, type SquareRow } from '#app/features/contributions/places/place-map.server.ts'
import { isInBox, parseBox, type Position } from '#app/lib/geometry.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { readPublic } from '#app/server/public-reads.ts'
import type { OptionRow } from './budgets.policy.server.ts'
import type { OptionsMapView } from './budgets.schema.ts'

interface OptionsInSight {
  /** In the order of their list. */
  options: readonly OptionRow[]
  /** The part that the reader narrowed the map to, as `formatBox` writes it. */
  bbox: string | undefined
  /** What the pin of an option shows: its number, or the sign of a status. */
  signOf: (option: OptionRow) => string
}

/**
 * The options that have a point, on the map that contributions have. It is the same for all readers, so it is drawn once until something
 * changes. Null if no option has a point, or the site has neither areas nor a map file.
 */
export async function mapOptions(ctx: Ctx, { options, bbox, signOf }: OptionsInSight): Promise<OptionsMapView | null> {
  const rows = options.flatMap((option) => toSquare(ctx, option, signOf(option)) ?? [])
  if (rows.length === 0) return null
  const digest = createHash('sha256')
    .update(JSON.stringify([rows, options.length]))
    .digest('hex')
  const narrowed = bbox === undefined ? undefined : parseBox(bbox)
  return readPublic(ctx, ['options-map', digest, narrowed], (reader) => drawOptions(reader, rows, options.length - rows.length, narrowed))
}

type Narrowed = ReturnType<typeof parseBox>

async function drawOptions(ctx: Ctx, rows: readonly SquareRow[], unplaced: number, narrowed: Narrowed): Promise<OptionsMapView | null> {
  const map = await readSiteMap(ctx)
  if (!map.box) return null
  const inSight = rows.filter((row) => !narrowed || isInBox(toPosition(row), narrowed))
  const drawn = await drawPlaces(ctx, map, {
    squares: inSight,
    placed: inSight.length,
    total: inSight.length + unplaced,
    extent: map.box,
    narrowed,
    layers: [],
    statusCode: (sign) => sign,
  })
  const { pins, bubbles, ...picture } = drawn
  return {
    ...picture,
    pins: pins.toSorted((a, b) => a.number - b.number),
    bubbles: bubbles.map((bubble) => {
      const box = parseBox(bubble.box)
      // The map gets no closer: the names of these options are all that tells them apart.
      return {
        ...bubble,
        numbers: bubble.isSmallest && box ? inSight.filter((row) => isInBox(toPosition(row), box)).map(({ number }) => number) : [],
      }
    }),
  }
}

const toPosition = ({ lng, lat }: SquareRow): Position => [lng, lat]

function toSquare(ctx: Ctx, { number, title, place, lng, lat }: OptionRow, sign: string): SquareRow | undefined {
  if (lng === null || lat === null) return undefined
  const { text, lang } = localiseText(title, ctx.contentLanguage, ctx.site.locale)
  const edges = { west: lng, east: lng, south: lat, north: lat }
  return {
    total: 1,
    lng,
    lat,
    ...edges,
    number,
    title: text,
    language: lang ?? ctx.language,
    place,
    area: null,
    status: sign,
    rank: -number,
    drawn: null,
  }
}
