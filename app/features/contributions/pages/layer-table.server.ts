import { and, eq, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { toSlug } from '#app/lib/slug.ts'
import type { LayerShape, Track } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { mapLayers } from '#app/server/db/schema/contributions.ts'
import { createFileResponse, type DownloadFile } from '#app/server/file-response.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { type ActivityAddress, requireActivityAt } from '../record/activities.policy.server.ts'
import type { ActivityView } from '../record/contributions.schema.ts'
import { createLocaliser } from '../record/answers.server.ts'
import { loadActivityView } from '../reading/activity-view.server.ts'
import { FEATURES_PER_PAGE, type LayerTableView } from '../layers/layers.schema.ts'

/** Condition for a visible layer of an activity. */
const isLayerAt = (ctx: Ctx, activityId: string, number: number) =>
  and(eq(mapLayers.siteId, ctx.site.id), eq(mapLayers.activityId, activityId), eq(mapLayers.number, number), eq(mapLayers.visible, true))

/** What search engines and shared links say of it. */
interface LayerPageHead {
  title: string
  description: string
  path: string
  card: string
  hidden: boolean
}

/** One page of a layer's table. @throws {AppError} `not-found`, also if the activity is not visible, or the layer is hidden */
export function getLayerTable(
  ctx: Ctx,
  address: ActivityAddress,
  number: number,
  wanted: number,
): Promise<{ activity: ActivityView; table: LayerTableView; head: LayerPageHead }> {
  return ctx.db.read(async (tx) => {
    const placed = await requireActivityAt(ctx, tx, address)
    const rows = sql<string[][]>`jsonb_path_query_array(${mapLayers.rows}, '$[$from to $to]',
      jsonb_build_object('from', ${(wanted - 1) * FEATURES_PER_PAGE}::int, 'to', ${wanted * FEATURES_PER_PAGE - 1}::int))`
    const [found] = await tx
      .select({
        name: mapLayers.name,
        features: mapLayers.features,
        isSimplified: mapLayers.isSimplified,
        columns: mapLayers.columns,
        rows,
      })
      .from(mapLayers)
      .where(isLayerAt(ctx, placed.activity.id, number))
    const pages = Math.max(1, Math.ceil((found?.features ?? 0) / FEATURES_PER_PAGE))
    if (!found || wanted > pages) throw new AppError('not-found')
    const first = (wanted - 1) * FEATURES_PER_PAGE + 1
    const activity = await loadActivityView(ctx, tx, placed)
    const name = createLocaliser(ctx)(found.name)
    return {
      activity,
      head: {
        title: name.text,
        description: activity.title.text,
        path: `/projects/${address.project}/${address.activity}/layers/${number}${wanted > 1 ? `?page=${wanted}` : ''}`,
        card: `project/${address.project}`,
        hidden: !activity.listed,
      },
      table: {
        number,
        name,
        features: found.features,
        isSimplified: found.isSimplified,
        columns: found.columns,
        rows: found.rows.map((cells, at) => ({ number: first + at, cells })),
        page: wanted,
        pages,
      },
    }
  })
}

interface DownloadRequest {
  context: RequestContext
  params: { slug: string; activity: string; layer: string }
}

/** Download route of a layer as GeoJSON, as it is stored. */
export const serveLayerFile = ({ context: { ctx }, params: { slug, activity, layer } }: DownloadRequest): Promise<Response> =>
  createFileResponse(ctx, () => ctx.db.read((tx) => openLayerFile(ctx, tx, { project: slug, activity }, readLayerNumber(layer))))

async function openLayerFile(ctx: Ctx, tx: Tx, address: ActivityAddress, number: number): Promise<DownloadFile> {
  const { activity } = await requireActivityAt(ctx, tx, address)
  const [found] = await tx
    .select({ name: mapLayers.name, columns: mapLayers.columns, shapes: mapLayers.shapes, rows: mapLayers.rows })
    .from(mapLayers)
    .where(isLayerAt(ctx, activity.id, number))
  if (!found) throw new AppError('not-found')
  const name = toSlug(getTranslation(found.name, ctx.contentLanguage, ctx.site.locale)) || String(number)
  return { filename: `${name}.geojson`, type: 'application/geo+json', pieces: writeFeatures(found) }
}

async function* writeFeatures({
  columns,
  shapes,
  rows,
}: Pick<typeof mapLayers.$inferSelect, 'columns' | 'shapes' | 'rows'>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode('{"type":"FeatureCollection","features":[')
  for (const [at, shape] of shapes.entries()) {
    const properties = Object.fromEntries(columns.map((column, of) => [column, rows[at]?.[of] ?? '']))
    const feature = { type: 'Feature', geometry: toGeometry(shape), properties }
    yield encoder.encode(`${at > 0 ? ',' : ''}\n${JSON.stringify(feature)}`)
  }
  yield encoder.encode('\n]}\n')
}

const listPositions = (track: Track): [number, number][] =>
  Array.from({ length: track.length / 2 }, (_, at) => [track[at * 2] ?? 0, track[at * 2 + 1] ?? 0])

interface LayerGeometry {
  type: string
  coordinates: unknown
}

/** GeoJSON (RFC 7946) of what is stored. */
function toGeometry(shape: LayerShape): LayerGeometry | { type: 'GeometryCollection'; geometries: LayerGeometry[] } | null {
  const buildGeometry = (type: string, all: readonly unknown[]): LayerGeometry[] =>
    all.length === 0 ? [] : [all.length === 1 ? { type, coordinates: all[0] } : { type: `Multi${type}`, coordinates: all }]
  const geometries = [
    ...buildGeometry('Point', listPositions(shape?.points ?? [])),
    ...buildGeometry('LineString', shape?.lines?.map(listPositions) ?? []),
    ...buildGeometry('Polygon', shape?.areas?.map((rings) => rings.map(listPositions)) ?? []),
  ]
  const [only, ...others] = geometries
  return others.length > 0 ? { type: 'GeometryCollection', geometries } : (only ?? null)
}

/** @throws {AppError} `not-found` for what is no number of a layer */
export function readLayerNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new AppError('not-found')
  return Number(text)
}
