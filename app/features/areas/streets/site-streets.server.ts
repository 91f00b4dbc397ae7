import { eq } from 'drizzle-orm'
import type { Box } from '#app/lib/geometry.ts'
import type { MapPicture, Spot } from '#app/lib/map-picture.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { mapFiles } from '#app/server/db/schema/areas.ts'
import { describeError } from '#app/server/log.ts'
import { processMemory } from '#app/server/memory/memory-budget.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { drawStreets, type DrawnStreets, type MapCover } from './draw-streets.server.ts'
import { openMapFile } from './map-file.server.ts'
import { renderStreets } from './render-streets.server.ts'
import { type Candidate, type Circle, listCandidates, SMALL_STREETS_TO_METRES, writeStreetNames } from './write-street-names.server.ts'

/** The map file of a site. */
export interface SiteMapFile extends MapCover {
  id: string
  credit: string
}

const PICTURES_BYTES = 6_000_000
/** What of a picture is the same for everybody, with where its names could stand. */
interface KeptPicture extends DrawnStreets {
  candidates: Candidate[]
}
const pictures = processMemory.open<KeptPicture>('map pictures', { maxBytes: PICTURES_BYTES })

/** Where all map files of a site are. */
export const buildMapFolder = (siteId: string): string => `${siteId}/maps`
/** Where one is stored; another file has another id. */
export const buildMapFileKey = (siteId: string, id: string): string => `${buildMapFolder(siteId)}/${id}/tiles`

export async function loadMapFile({ site }: Pick<Ctx, 'site'>, tx: Tx): Promise<SiteMapFile | undefined> {
  const { id, credit, box, minZoom, maxZoom } = mapFiles
  const [found] = await tx.select({ id, credit, box, minZoom, maxZoom }).from(mapFiles).where(eq(mapFiles.siteId, site.id))
  const [west, south, east, north] = found?.box ?? []
  if (!found || west === undefined || south === undefined || east === undefined || north === undefined) return undefined
  return { ...found, box: [west, south, east, north] }
}

/** What names keep clear of, in the picture as it is on a wide and on a narrow screen. */
type TakenCircles = Record<'wide' | 'narrow', readonly Circle[]>

/**
 * Streets in the picture of a box as SVG, with as many names as there is room for. Undefined if the file cannot be read: a page does not fail for want of
 * its streets.
 */
export async function drawSiteStreets(ctx: Ctx, file: SiteMapFile, box: Box, taken: TakenCircles): Promise<string | undefined> {
  try {
    const drawn = await obtainDrawn(ctx, file, box)
    return renderStreets({ paths: drawn.paths, names: writeStreetNames(drawn.candidates, taken) })
  } catch (error) {
    ctx.runtime.log.error('the map file of a site could not be read', { site: ctx.site.id, file: file.id, error: describeError(error) })
    return undefined
  }
}

/** A street farther away than this does not count as near. */
const NEAR_METRES = 150

/** The name of the street that is nearest to each spot of the picture; none where streets are too small to be named. */
export async function findNearStreets(ctx: Ctx, file: SiteMapFile, box: Box, spots: readonly Spot[]): Promise<(string | undefined)[]> {
  try {
    const { named, metres } = await obtainDrawn(ctx, file, box)
    if (metres > SMALL_STREETS_TO_METRES) return []
    const streets = named.filter(({ box: area, spots: line }) => !area && line.length > 1)
    return spots.map((spot) => {
      let [nearest, name]: [number, string | undefined] = [NEAR_METRES / metres, undefined]
      for (const street of streets) {
        const gap = measureGap(spot, street.spots, nearest)
        if (gap < nearest) [nearest, name] = [gap, street.name]
      }
      return name
    })
  } catch {
    // What drew the picture has written why.
    return []
  }
}

/** Between a spot and the nearest point of a line; a larger gap than `most` is not looked at closely. */
function measureGap([x, y]: Spot, line: readonly Spot[], most: number): number {
  let least = Infinity
  for (let at = 1; at < line.length; at++) {
    const [from, to] = [line[at - 1], line[at]]
    if (!from || !to || Math.min(from[0], to[0]) - x > most || x - Math.max(from[0], to[0]) > most) continue
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
    const share = Math.min(1, Math.max(0, ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy || 1)))
    least = Math.min(least, Math.hypot(x - from[0] - dx * share, y - from[1] - dy * share))
  }
  return least
}

async function obtainDrawn(ctx: Ctx, file: SiteMapFile, box: Box): Promise<KeptPicture> {
  const key = [file.id, ctx.language, ...box.map((edge) => edge.toFixed(6))].join(' ')
  const found = pictures.find(key)
  if (found) return found
  const tiles = openMapFile(openStorage(ctx.runtime.env), buildMapFileKey(ctx.site.id, file.id))
  const drawn = await drawStreets(tiles, file, box, ctx.language)
  const picture = { ...drawn, candidates: listCandidates(drawn) }
  pictures.set(key, picture, measurePicture(picture))
  return picture
}

const measurePicture = ({ paths, named, candidates }: KeptPicture): number =>
  paths.reduce((sum, { path }) => sum + path.length, 0) +
  named.reduce((sum, { spots }) => sum + 160 + spots.length * 80, 0) +
  candidates.length * 200

/** Names of areas as circles that other names keep clear of. */
export function coverLabels(
  { labels, letters = [] }: Pick<MapPicture, 'labels' | 'letters'>,
  height: Record<'wide' | 'narrow', number>,
): TakenCircles {
  const cover = (name: string, [x, y]: readonly [number, number], letter: number): Circle[] => {
    const half = (name.length * letter * 0.56) / 2
    const count = Math.max(1, Math.ceil(half / letter))
    return Array.from({ length: 2 * count + 1 }, (_, at) => ({
      spot: [x + ((at - count) / count) * half, y - letter / 3],
      radius: letter * 0.65,
    }))
  }
  return {
    wide: labels.flatMap(({ name, spot }) => cover(name, spot, height.wide)),
    narrow: [
      ...labels.filter(({ fits }) => fits === 'always').flatMap(({ name, spot }) => cover(name, spot, height.narrow)),
      ...letters.map(({ spot }) => ({ spot, radius: height.narrow * 0.7 })),
    ],
  }
}
