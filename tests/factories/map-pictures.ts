import { buildTown } from '#app/cli/demo/build-town.ts'
import { riverbend } from '#app/cli/demo/content/riverbend/site.ts'
import { readTownAreas } from '#app/cli/demo/seed-map.ts'
import { checkMapFile } from '#app/features/areas/streets/check-map-file.server.ts'
import { drawStreets } from '#app/features/areas/streets/draw-streets.server.ts'
import { openMapFile } from '#app/features/areas/streets/map-file.server.ts'
import { renderStreets } from '#app/features/areas/streets/render-streets.server.ts'
import { listCandidates, writeStreetNames } from '#app/features/areas/streets/write-street-names.server.ts'
import type { Box } from '#app/lib/geometry.ts'
import { createRandom } from '#app/lib/random.ts'
import type { Storage } from '#app/server/storage/storage.ts'
import { square, toFeature } from './map-files.ts'

/** Of the middle of a big city: 6,000 pieces of streets and 20,000 houses on 16 square kilometres. */
function buildCity(): object[] {
  const random = createRandom('dense city')
  const at = () => [-74.75 + random.next() / 20, 45 + random.next() / 28] as const
  const streets = Array.from({ length: 6000 }, (_, number) => {
    const [lng, lat] = at()
    const bends = Array.from({ length: 6 }, (__, bend) => [lng + bend * 0.0003, lat + random.next() * 0.0006])
    const kind = number % 40 === 0 ? 'primary' : number % 8 === 0 ? 'footway' : 'residential'
    return toFeature({ highway: kind, name: `Street ${number % 1500}` }, { type: 'LineString', coordinates: bends })
  })
  const houses = Array.from({ length: 20_000 }, () => toFeature({ building: 'yes' }, square(...at(), 0.00012)))
  return [...streets, ...houses]
}

/** Maps to draw, and where their middle is. */
export const DRAWN_MAPS: readonly [name: string, build: () => object[], middle: readonly [lng: number, lat: number]][] = [
  ['the demo', () => buildTown(riverbend.town, readTownAreas(riverbend), 'riverbend'), [-74.73, 45.018]],
  ['the middle of a big city', buildCity, [-74.725, 45.018]],
]

/** How wide the pictures are, in kilometres. */
export const DRAWN_SPANS = [8, 4, 2, 1, 0.5] as const

/** Opens a map made of `features`. @returns draws, as SVG, the picture of so many kilometres, moved a little to the east with each number */
export async function openDrawnMap(features: object[], [lng, lat]: readonly [number, number]) {
  const { file = new Uint8Array(), ...cover } = await checkMapFile({
    file: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })),
  })
  const readRange = (_: string, offset: number, length: number) => Promise.resolve(Buffer.from(file.subarray(offset, offset + length)))
  const opened = openMapFile({ readRange } as unknown as Storage, `${crypto.randomUUID()}/map`)
  return async (kilometres: number, number = 0): Promise<string> => {
    const [wide, high] = [kilometres / 2 / 78.7, (kilometres / 2 / 111.3) * (420 / 640)]
    const shift = (number - 20) * wide * 0.01
    const box: Box = [lng - wide + shift, lat - high, lng + wide + shift, lat + high]
    const drawn = await drawStreets(opened, cover, box, 'en')
    return renderStreets({ paths: drawn.paths, names: writeStreetNames(listCandidates(drawn), { wide: [], narrow: [] }) })
  }
}
