import { describe, expect, test } from 'vitest'
import type { Box } from '#app/lib/geometry.ts'
import { type StreetKind, type StreetName } from '#app/lib/map-picture.ts'
import type { Storage } from '#app/server/storage/storage.ts'
import { square, toFeature, TOWN } from '#tests/factories/map-files.ts'
import { checkMapFile } from './check-map-file.server.ts'
import { drawStreets } from './draw-streets.server.ts'
import { openMapFile } from './map-file.server.ts'
import { listCandidates, writeStreetNames } from './write-street-names.server.ts'

/** The file of some features, which counts what is read of it. */
async function openMap(features: readonly object[]) {
  const { file = new Uint8Array(), ...cover } = await checkMapFile({
    file: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })),
  })
  const reads = { count: 0 }
  const readRange = (_: string, offset: number, length: number) => {
    reads.count++
    return Promise.resolve(Buffer.from(file.subarray(offset, offset + length)))
  }
  return { file: openMapFile({ readRange } as unknown as Storage, `${crypto.randomUUID()}/map`), cover, reads }
}

const NOTHING_TAKEN = { wide: [], narrow: [] }
const STREET_BOX: Box = [-74.73, 45.016, -74.72, 45.0225]
const pathOf = ({ paths }: Awaited<ReturnType<typeof drawStreets>>, kind: StreetKind) => paths.find((one) => one.kind === kind)?.path ?? ''
const countParts = (path: string) => path.split('M').length - 1

describe('streets below a map', () => {
  test('are drawn by kind, with the names of the language', async () => {
    const { file, cover } = await openMap(TOWN.features)
    const drawn = await drawStreets(file, cover, STREET_BOX, 'en')
    expect(drawn.paths.map(({ kind }) => kind)).toEqual(['green', 'stream', 'building', 'street', 'major'])
    expect(countParts(pathOf(drawn, 'building'))).toBe(1)
    const names = writeStreetNames(listCandidates(drawn), NOTHING_TAKEN).map(({ name }) => name)
    expect(names).toContain('Alder Street 11')
    expect(names).toContain('Mill Race')
    expect(names).not.toContain('A bench')
    const french = writeStreetNames(listCandidates(await drawStreets(file, cover, STREET_BOX, 'fr-CA')), NOTHING_TAKEN).map(
      ({ name }) => name,
    )
    expect(french).toContain('Rue de l’Aulne 11')
  })

  test('are where they are: a street through the middle of the picture lies there', async () => {
    const { file, cover } = await openMap([toFeature({ highway: 'primary' }, { type: 'LineString', coordinates: [[-74.75, 45.02], [-74.7, 45.02]] })]) // prettier-ignore
    const { paths } = await drawStreets(file, cover, [-74.73, 45.017, -74.72, 45.023], 'en')
    const [, y = NaN] = /^M-?\d+ (\d+)l/.exec(paths[0]?.path ?? '') ?? []
    // Positions are in halves of a unit, and the picture is 420 units high.
    expect(Math.abs(Number(y) - 420)).toBeLessThanOrEqual(2)
  })

  test('keep their names clear of what is on the map, and of each other', async () => {
    const { file, cover } = await openMap(TOWN.features)
    const drawn = await drawStreets(file, cover, STREET_BOX, 'en')
    const free = writeStreetNames(listCandidates(drawn), NOTHING_TAKEN).find(({ name }) => name === 'Alder Street 11')
    const spot = free?.spot ?? [0, 0]
    const beside = writeStreetNames(listCandidates(drawn), { wide: [{ spot, radius: 20 }], narrow: [{ spot, radius: 34 }] })
    expect(beside.find(({ name }) => name === 'Alder Street 11')).toBeUndefined()
    const all = writeStreetNames(listCandidates(drawn), NOTHING_TAKEN).filter(({ fits }) => fits !== 'narrow')
    const overlaps = (one: StreetName, other: StreetName) =>
      one.turned === 0 && other.turned === 0 && Math.abs(one.spot[1] - other.spot[1]) < 11 && Math.abs(one.spot[0] - other.spot[0]) < 40
    expect(all.filter((one) => all.some((other) => one !== other && overlaps(one, other)))).toEqual([])
  })

  test('are read once, and no picture needs more than twelve parts of the file', async () => {
    const { file, cover, reads } = await openMap(TOWN.features)
    await drawStreets(file, cover, cover.box, 'en')
    const first = reads.count
    // The header, its directory and the tiles.
    expect(first).toBeLessThanOrEqual(14)
    await drawStreets(file, cover, cover.box, 'cy')
    expect(reads.count).toBe(first)
  })

  test('a house on the edge of two tiles is drawn once', async () => {
    // The edge between two columns of zoom 14.
    const edge = (Math.floor(((-74.72 + 180) / 360) * 2 ** 14) / 2 ** 14) * 360 - 180
    const { file, cover } = await openMap([
      toFeature({ building: 'yes' }, square(edge - 0.0001, 45.02, 0.0003)),
      toFeature({ highway: 'residential' }, { type: 'LineString', coordinates: [[edge - 0.02, 45.02], [edge + 0.02, 45.02]] }), // prettier-ignore
    ])
    const drawn = await drawStreets(file, cover, [edge - 0.002, 45.0185, edge + 0.002, 45.0215], 'en')
    expect(countParts(pathOf(drawn, 'building'))).toBe(1)
  })
})
