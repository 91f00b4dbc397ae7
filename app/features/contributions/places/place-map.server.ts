import { count, max, min, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { PICTURE_SIZE, type Spot } from '#app/lib/map-picture.ts'
import { doubleBox, halveBox, SMALLEST_SPAN, widenBox } from '#app/features/areas/map/map-boxes.server.ts'
import { createBoxView, type MapView } from '#app/features/areas/map/map-view.schema.ts'
import { loadGeocoder } from '#app/features/marketplace/geocoding.server.ts'
import { drawMap, nameSpots, type SiteMap } from '#app/features/areas/map/site-map.server.ts'
import { type Box, formatBox, type Geometry } from '#app/lib/geometry.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { CONTRIBUTIONS_PER_PAGE, type ContributionSort } from '../record/contributions.schema.ts'
import { drawLayers, measureLayers, type ShownLayer } from '../layers/draw-layers.server.ts'
import { measureGeometry, toSvgPath } from '../record/drawing.schema.ts'
import type { MapBubble, MapPin, PlacesMapView } from '../record/places.schema.ts'

/** The database counts pins in squares of this many units of the picture. */
const SQUARE = 13
/** Squares along each side of what becomes one bubble, so that bubbles open boxes that do not overlap. */
const SQUARES_IN_CELL = 9
/** Bubbles stand so close to the middles of their cells that any two are 44 pixels apart on a phone, where the picture is half as wide. */
const FROM_MIDDLE = 15
/** Pins closer than this to each other, or to a bubble, become one bubble with it. */
const CLOSEST = 54
/** 44 pixels on a phone of 360, whose picture is 328 wide. */
const CLOSEST_BUBBLES = 86
const EDGE = 16
/** How far a link or a key moves the map, as a share of what is shown. */
const MOVE_SHARE = 0.5

/** Places of a square together, or one place. */
export interface SquareRow extends Record<string, unknown> {
  total: number
  /** This and the next five are null in the one row for contributions without a pin. */
  lng: number
  lat: number
  west: number
  south: number
  east: number
  north: number
  /** This and what follows is meant only where one place is alone. */
  number: number
  title: string
  language: ContentLanguage
  place: string
  area: string | null
  status: string | null
  rank: number
  /** A line or an area. */
  drawn: string | null
}

interface Cluster {
  total: number
  spot: Spot
  box: Box
  /** Of one of its squares: of the only one, if it is a single place. */
  row: SquareRow
  squares: readonly SquareRow[]
}

/** What a map shows, and where. */
interface DrawnPlaces extends Matches {
  /** The part that the viewer narrowed the map to. */
  narrowed: Box | undefined
  /** Places outside the map are drawn at its edge. */
  squares: readonly SquareRow[]
  /** The sign of a pin with this status. */
  statusCode: (statusId: string) => string
  layers: readonly ShownLayer[]
}

/** Contributions that match, and where the map shows them. */
interface PlacesInSight extends Omit<DrawnPlaces, 'squares'> {
  activityId: string
  where: SQL | undefined
  sort: ContributionSort
  /** If they were counted already. */
  squares: readonly SquareRow[] | undefined
}

/** What the map shows; undefined if only the places that match can tell. */
export function findBoxInSight(map: SiteMap, narrowed: Box | undefined): Box | undefined {
  if (narrowed) return makeRoomForPins(widenBox(narrowed))
  return map.box && widenBox(map.box)
}

/** The whole that a map can show, and what it shows of it. */
function chooseBoxes(map: SiteMap, { narrowed, extent, layers }: Pick<DrawnPlaces, 'narrowed' | 'extent' | 'layers'>) {
  const whole = map.box ?? extent ?? measureLayers(layers)
  return { whole, box: findBoxInSight(map, narrowed) ?? widenBox(whole ?? [0, 0, 1, 1]) }
}

/** Draws every contribution that matches, in one statement: single ones as pins, crowded ones as numbered bubbles. */
export async function buildPlacesMap(ctx: Ctx, tx: Tx, map: SiteMap, sight: PlacesInSight): Promise<PlacesMapView> {
  const squares = sight.squares ?? (await countInSquares(ctx, tx, { ...sight, box: chooseBoxes(map, sight).box })).squares
  return drawPlaces(ctx, map, { ...sight, squares })
}

/** Draws places: single ones as pins, crowded ones as numbered bubbles. */
export async function drawPlaces(ctx: Ctx, map: SiteMap, places: DrawnPlaces): Promise<PlacesMapView> {
  const { whole, box } = chooseBoxes(map, places)
  const view = createBoxView(box)
  const clusters = mergeClusters(clusterByCell(view, places.squares.filter(hasPin)))
  const bubbles = clusters.filter(({ total }) => total > 1).toSorted((a, b) => b.total - a.total)
  const near = await nameSpots(ctx, map, box, bubbles.map(({ spot }) => spot)) // prettier-ignore
  const { narrowed, layers } = places
  const wider = narrowed && whole ? doubleBox(narrowed, whole) : undefined
  return {
    ...(map.box || narrowed
      ? await drawMap(
          ctx,
          map,
          box,
          clusters.map(({ spot, total }) => ({ spot, isPin: total === 1 })),
        )
      : { outlines: [], labels: [] }),
    ...(layers.length > 0 && { layers: drawLayers(ctx, layers, view) }),
    pins: clusters.flatMap((cluster) => toPin(ctx, { map, view }, cluster, places)),
    bubbles: bubbles.map((cluster, at) => toBubble(cluster, near[at])),
    placed: places.placed,
    unplaced: places.total - places.placed,
    addressSource: (await loadGeocoder(ctx))?.attribution ?? null,
    isNarrowed: narrowed !== undefined,
    ...(wider && { wider: formatBox(wider) }),
    ...(whole && (map.box || narrowed) && { moves: listMoves(narrowed ?? map.box ?? whole, whole) }),
  }
}

/** Boxes that the map's links and keys lead to, and the one that it shows. */
function listMoves(box: Box, whole: Box): NonNullable<PlacesMapView['moves']> {
  const [west, south, east, north] = box
  const shift = (right: number, up: number) => {
    const [x, y] = [right * (east - west) * MOVE_SHARE, up * (north - south) * MOVE_SHARE]
    return formatBox([west + x, south + y, east + x, north + y])
  }
  const farther = doubleBox(box, whole)
  const isSmallest = east - west <= SMALLEST_SPAN && north - south <= SMALLEST_SPAN
  return {
    shown: box,
    unit: createBoxView(box).unit,
    ...(!isSmallest && { nearer: formatBox(halveBox(box, undefined)) }),
    ...(farther && { farther: formatBox(farther) }),
    west: shift(-1, 0),
    north: shift(0, 1),
    south: shift(0, -1),
    east: shift(1, 0),
  }
}

/** The sign of a status on the map: its code, or its number if the site made it up. */
export const findSign = (statuses: readonly { id: string; code: string | null }[], statusId: string): string => {
  const at = statuses.findIndex(({ id }) => id === statusId)
  return statuses[at]?.code ?? String(at + 1)
}

/** How many contributions match, how many of them have a pin, and the box around those, as `toMatches` takes it. */
export function selectMatches(tx: Tx, where: SQL | undefined) {
  const { lng, lat } = contributions
  const edges = { west: min(lng).as('west'), south: min(lat).as('south'), east: max(lng).as('east'), north: max(lat).as('north') }
  return tx
    .select({ total: count().as('total'), placed: count(lng).as('placed'), ...edges })
    .from(contributions)
    .where(where)
}

type CountedMatches = Awaited<ReturnType<typeof selectMatches>>[number]

/** How many match, how many of them have a pin, and the box around those. */
export interface Matches {
  total: number
  placed: number
  extent: Box | null
}

export function toMatches(counted: CountedMatches | undefined): Matches {
  const { total = 0, placed = 0, west, south, east, north } = counted ?? {}
  const isPlaced = typeof west === 'number' && typeof south === 'number' && typeof east === 'number' && typeof north === 'number'
  return { total, placed, extent: isPlaced ? [west, south, east, north] : null }
}

const hasPin = ({ lng }: SquareRow): boolean => lng !== null

/** The same as `selectMatches` finds, from squares. */
export function sumSquares(squares: readonly SquareRow[]): Matches {
  const placed = squares.filter(hasPin)
  const addTotals = (rows: readonly SquareRow[]) => rows.reduce((sum, { total }) => sum + total, 0)
  const extent = placed.reduce<Box | null>(
    (box, { west, south, east, north }) =>
      box ? [Math.min(box[0], west), Math.min(box[1], south), Math.max(box[2], east), Math.max(box[3], north)] : [west, south, east, north],
    null,
  )
  return { total: addTotals(squares), placed: addTotals(placed), extent }
}

const SORT_KEYS: Record<ContributionSort, SQL> = {
  newest: sql`extract(epoch from ${contributions.publishedAt})`,
  supported: sql`${contributions.supports}`,
  discussed: sql`${contributions.repliesCount}`,
  unseen: sql`- ${contributions.supports} - ${contributions.disagrees} - ${contributions.repliesCount}`,
}

/** What an order of a list may ask for besides the number. */
const SORTED_BY = [contributions.publishedAt, contributions.supports, contributions.disagrees, contributions.repliesCount]

const listColumns = (...names: readonly AnyPgColumn[]): SQL => sql.join([...names], sql`, `)

interface SquaresAsked extends Pick<PlacesInSight, 'activityId' | 'where' | 'sort'> {
  box: Box
  /** If words are searched for: the page of what they find, in this order, is told with the squares. */
  searched?: { found: SQL; order: SQL[]; page: number } | undefined
}

export interface CountedSquares {
  squares: SquareRow[]
  /** What the page shows, if words were searched for; empty beyond the last page. */
  shown: string[] | undefined
}

/** Reads only numbers for most matches, in one pass; a place that has a square to itself is read in full. */
export async function countInSquares(ctx: Ctx, tx: Tx, { box, activityId, where, sort, searched }: SquaresAsked): Promise<CountedSquares> {
  const { geometry, id, lng, lat, number, title, language, placeText, areaId, statusId } = contributions
  const { unit } = createBoxView(box)
  // What is searched for is found once, for the squares and for the page.
  const matching = searched
    ? sql`${searched.found}, matching as materialized (select ${listColumns(id, lng, lat, number, ...SORTED_BY)} from ${contributions} where ${where})`
    : sql`matching as (select ${listColumns(lng, lat, number)} from ${contributions} where ${where})`
  const shown = searched ? selectShown(searched) : sql`null`
  const { rows } = await tx.execute<SquareRow & { shown: string[] | null }>(sql`
    with ${matching}, squares as (
      select count(*)::int as total, avg(lng) as lng, avg(lat) as lat, min(lng) as west, min(lat) as south,
        max(lng) as east, max(lat) as north, min(number) as least
      from matching
      group by floor(lng / ${unit.lng * SQUARE}::float8), floor(lat / ${unit.lat * SQUARE}::float8))
    select squares.total, squares.lng, squares.lat, west, south, east, north, least as number, one.*,
      case when row_number() over () = 1 then ${shown} end as shown
    from squares left join lateral (
      select ${title} as title, ${language} as language, ${placeText} as place, ${areaId}::text as area, ${statusId}::text as status,
        (${SORT_KEYS[sort]})::float8 as rank, case when ${geometry}->>'type' <> 'Point' then ${geometry}::text end as drawn
      from ${contributions} where squares.total = 1 and ${contributions.siteId} = ${ctx.site.id}
        and ${contributions.activityId} = ${activityId} and ${number} = least
      limit 1) one on true`)
  return { squares: rows, shown: searched && (rows.find((row) => row.shown !== null)?.shown ?? []) }
}

/**
 * The ids of a page of what matches, in their order. A full join looks scores up by hash or merges them; any other would be carried out pair by
 * pair, since the database expects a search to find little. What was found but does not match comes last, without a number.
 */
const selectShown = ({ order, page }: { order: SQL[]; page: number }): SQL => sql`array_remove(array(
    select ${contributions.id} from matching contributions full join found on found.id = ${contributions.id}
    order by ${contributions.number} is null, ${sql.join(order, sql`, `)}
    limit ${CONTRIBUTIONS_PER_PAGE} offset ${(page - 1) * CONTRIBUTIONS_PER_PAGE}), null)::text[]`

/** Places outside the picture are drawn at its edge, so that none is missing. */
const keepInside = ([x, y]: Spot): Spot => {
  const clamp = (value: number, most: number) => Math.min(Math.max(value, EDGE), most - EDGE)
  return [clamp(x, PICTURE_SIZE.width), clamp(y, PICTURE_SIZE.height + EDGE / 2)]
}

/** One cluster for each cell of a grid over the map. */
function clusterByCell({ spotOf, unit }: MapView, rows: readonly SquareRow[]): Cluster[] {
  const size = { lng: unit.lng * SQUARE * SQUARES_IN_CELL, lat: unit.lat * SQUARE * SQUARES_IN_CELL }
  const cells = new Map<string, SquareRow[]>()
  for (const row of rows) {
    const key = `${Math.floor(row.lng / size.lng)} ${Math.floor(row.lat / size.lat)}`
    const found = cells.get(key)
    if (found) found.push(row)
    else cells.set(key, [row])
  }
  return [...cells.values()].map((squares) => {
    const cluster = buildCluster(spotOf, squares)
    const [first] = squares
    if (cluster.total === 1 || !first) return cluster
    const [middleX, middleY] = spotOf([
      (Math.floor(first.lng / size.lng) + 0.5) * size.lng,
      (Math.floor(first.lat / size.lat) + 0.5) * size.lat,
    ])
    const nearMiddle = (value: number, middle: number) => Math.min(Math.max(value, middle - FROM_MIDDLE), middle + FROM_MIDDLE)
    const [x, y] = cluster.spot
    return { ...cluster, spot: keepInside([nearMiddle(x, middleX), nearMiddle(y, middleY)]) }
  })
}

function buildCluster(spotOf: MapView['spotOf'], squares: readonly SquareRow[]): Cluster {
  const total = squares.reduce((sum, row) => sum + row.total, 0)
  const weigh = (axis: 'lng' | 'lat') => squares.reduce((sum, row) => sum + row[axis] * row.total, 0) / total
  const box: Box = [
    Math.min(...squares.map(({ west }) => west)),
    Math.min(...squares.map(({ south }) => south)),
    Math.max(...squares.map(({ east }) => east)),
    Math.max(...squares.map(({ north }) => north)),
  ]
  const [row] = squares
  if (!row) throw new Error('A cluster has no squares')
  return { total, spot: keepInside(spotOf([weigh('lng'), weigh('lat')])), box, row, squares }
}

/** Joins what is too close to be told apart, and what lies in the box of another: a bubble opens as many places as it says. */
function mergeClusters(given: readonly Cluster[]): Cluster[] {
  const sorted = given.toSorted((a, b) => b.total - a.total || a.spot[0] - b.spot[0])
  const merged: Cluster[] = []
  for (const one of sorted) {
    const near = merged.findIndex((other) => isTooClose(one, other) || isOpenedBy(one, other) || isOpenedBy(other, one))
    const other = merged[near]
    if (other) merged[near] = joinClusters(other, one)
    else merged.push(one)
  }
  return merged.length === given.length ? merged : mergeClusters(merged)
}

const isTooClose = (one: Cluster, other: Cluster): boolean => {
  const closest = one.total > 1 && other.total > 1 ? CLOSEST_BUBBLES : CLOSEST
  return (one.spot[0] - other.spot[0]) ** 2 + (one.spot[1] - other.spot[1]) ** 2 < closest ** 2
}

/** Some of its places lie in the box that the other's bubble opens. */
function isOpenedBy({ squares }: Cluster, other: Cluster): boolean {
  if (other.total === 1) return false
  const [west, south, east, north] = growBox(other.box)
  return squares.some((row) => row.west <= east && row.east >= west && row.south <= north && row.north >= south)
}

function joinClusters(one: Cluster, other: Cluster): Cluster {
  const total = one.total + other.total
  const weigh = (axis: 0 | 1) => (one.spot[axis] * one.total + other.spot[axis] * other.total) / total
  const box: Box = [
    Math.min(one.box[0], other.box[0]),
    Math.min(one.box[1], other.box[1]),
    Math.max(one.box[2], other.box[2]),
    Math.max(one.box[3], other.box[3]),
  ]
  return { total, spot: [weigh(0), weigh(1)], box, row: one.row, squares: [...one.squares, ...other.squares] }
}

const roundSpot = ([x, y]: Spot): Spot => [Math.round(x), Math.round(y)]

function toPin(
  ctx: Ctx,
  { map, view }: { map: SiteMap; view: MapView },
  { total, spot, row }: Cluster,
  { statusCode }: DrawnPlaces,
): MapPin[] {
  if (total > 1) return []
  const geometry = row.drawn ? (JSON.parse(row.drawn) as Geometry) : undefined
  const size = geometry && measureGeometry(geometry)
  const outline = geometry && toSvgPath(view, geometry)
  return [
    {
      number: row.number,
      title: row.title,
      place: row.place || (map.areas.find(({ id }) => id === row.area)?.name ?? ''),
      ...(row.language !== ctx.language && { lang: row.language }),
      spot: roundSpot(spot),
      ...(row.status && { sign: statusCode(row.status) }),
      rank: row.rank,
      ...(size && outline && { drawn: { ...size, outline } }),
    },
  ]
}

const toBubble = ({ total, spot, box }: Cluster, near: string | undefined): MapBubble => {
  // A map does not get closer: the bubble leads to the list.
  const isSmallest = box[2] - box[0] < SMALLEST_SPAN && box[3] - box[1] < SMALLEST_SPAN
  return { total, spot: roundSpot(spot), box: formatBox(growBox(box)), isSmallest, ...(near && { near }) }
}

/** So that its outermost places are inside, and a box of one point has some extent. */
const growBox = ([west, south, east, north]: Box): Box => [west - 1e-5, south - 1e-5, east + 1e-5, north + 1e-5]

/** Pins stand above their places. */
const makeRoomForPins = ([west, south, east, north]: Box): Box => [west, south, east, north + (north - south) * 0.14]
