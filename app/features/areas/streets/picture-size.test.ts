import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { brotliCompressSync, constants } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildTown } from '#app/cli/demo/build-town.ts'
import { riverbend } from '#app/cli/demo/content/riverbend/site.ts'
import { readTownAreas } from '#app/cli/demo/seed-map.ts'
import type { Box } from '#app/lib/geometry.ts'
import { createRandom } from '#app/lib/random.ts'
import type { Storage } from '#app/server/storage/storage.ts'
import { MapStreets } from '#app/ui/map-streets.tsx'
import { square, toFeature } from '#tests/factories/map-files.ts'
import { startCpuClock } from '#tests/support/cpu-time.ts'
import { checkMapFile } from './check-map-file.server.ts'
import { drawStreets } from './draw-streets.server.ts'
import { openMapFile } from './map-file.server.ts'
import { writeStreetNames } from './write-street-names.server.ts'

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

async function openMap(features: readonly object[]) {
  const { file = new Uint8Array(), ...cover } = await checkMapFile({
    file: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })),
  })
  const readRange = (_: string, offset: number, length: number) => Promise.resolve(Buffer.from(file.subarray(offset, offset + length)))
  return { file: openMapFile({ readRange } as unknown as Storage, `${crypto.randomUUID()}/map`), cover }
}

/** Median, in milliseconds of processor time: 4 to 12 of its own, and up to three times that beside other work on the machine. */
const MOST_DENSE_MS = 30

const compress = (text: string): number => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length
const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? NaN

test.each([
  ['the demo', buildTown(riverbend.town, readTownAreas(riverbend), 'riverbend'), -74.73, 45.018, 10],
  ['the middle of a big city', buildCity(), -74.725, 45.018, MOST_DENSE_MS],
])('a picture of %s is below 25 kB compressed, whatever it shows, and quickly drawn', async (_, features, lng, lat, most) => {
  const { file, cover } = await openMap(features)
  for (const kilometres of [8, 4, 2, 1, 0.5]) {
    const [wide, high] = [kilometres / 2 / 78.7, (kilometres / 2 / 111.3) * (420 / 640)]
    const times: number[] = []
    for (let at = 0; at < 40; at++) {
      const shift = (at - 20) * wide * 0.01
      const box: Box = [lng - wide + shift, lat - high, lng + wide + shift, lat + high]
      const measure = startCpuClock()
      const drawn = await drawStreets(file, cover, box, 'en')
      const streets = { paths: drawn.paths, names: writeStreetNames(drawn, { wide: [], narrow: [] }) }
      times.push(measure())
      if (at === 0) expect(compress(renderToStaticMarkup(createElement(MapStreets, { streets })))).toBeLessThan(25_000)
    }
    const warm = times.slice(5)
    expect.soft(percentile(warm, 0.5), `median at ${kilometres} km`).toBeLessThan(most)
    expect.soft(percentile(warm, 0.95), `95 of 100 at ${kilometres} km`).toBeLessThan(4 * most)
  }
})
