import { describe, expect, test } from 'vitest'
import { isAppError } from '#app/lib/app-error.ts'
import type { MapGrid } from '#app/lib/geometry.ts'
import { readInOwnProcess } from '#app/server/read-in-own-process.ts'
import { buildAreasJson, buildDbf, buildShapefile, buildShp, buildZip, PRJ, squareRing } from '#tests/factories/area-files.ts'
import { readAreaFile } from './read-area-file.server.ts'

const read = (file: Buffer | object, convertFrom: MapGrid | null = null, isSwapped = false) =>
  readAreaFile({ file: Buffer.isBuffer(file) ? file : Buffer.from(JSON.stringify(file)), convertFrom, isSwapped })
function refusalOf(file: Buffer | object, convertFrom: MapGrid | null = null): unknown {
  try {
    return read(file, convertFrom)
  } catch (error) {
    if (!isAppError(error)) throw error
    const [fault] = error.faults
    return fault?.values ? [fault.code, fault.values] : fault?.code
  }
}
const cornerOf = ({ shapes }: ReturnType<typeof read>) => shapes[0]?.rings[0]?.[0]

const OLD_TOWN = { values: { WARD_NM: 'Old Town', NOM: 'Vieille-Ville', CODE: 'W1' }, rings: [squareRing(-75.1, 45.2, 0.1)] }
const ISLAND = {
  values: { WARD_NM: 'Island', NOM: 'Île', CODE: 'W2' },
  // With a hole, which runs the other way round.
  rings: [squareRing(-75, 45.2, 0.1), squareRing(-74.97, 45.23, 0.02).toReversed()],
}

describe('areas from a Shapefile', () => {
  test('come with their table, and holes stay holes', () => {
    const found = read(buildShapefile([OLD_TOWN, ISLAND], PRJ.nad83))
    expect(found).toMatchObject({ format: 'shapefile', columns: ['WARD_NM', 'NOM', 'CODE'], isProjectionGuessed: false })
    expect(found.shapes.map(({ values }) => values)).toEqual([Object.values(OLD_TOWN.values), Object.values(ISLAND.values)])
    expect(found.shapes[1]?.rings).toHaveLength(2)
    expect(cornerOf(found)).toEqual([-75.1, 45.2])
  })

  test('in the British National Grid land where they are: Nelson’s Column', () => {
    // Easting, northing and degrees as Ordnance Survey gives them.
    const found = read(buildShapefile([{ values: { name: 'Square' }, rings: [squareRing(530_034, 180_381, 500)] }], PRJ.britishGrid))
    const [lng = 0, lat = 0] = cornerOf(found) ?? []
    expect(Math.abs(lng - -0.1277)).toBeLessThan(0.0003)
    expect(Math.abs(lat - 51.5074)).toBeLessThan(0.0003)
  })

  test('in UTM on NAD 83 land where they are, and NAD 83 (CSRS) is degrees', () => {
    const found = read(buildShapefile([{ values: { name: 'Hill' }, rings: [squareRing(500_000, 5_000_000, 100)] }], PRJ.utm18))
    const [lng = 0, lat = 0] = cornerOf(found) ?? []
    // On the central meridian; 5,000 km along it from the equator, by 0.9996.
    expect(lng).toBeCloseTo(-75, 5)
    expect(lat).toBeCloseTo(45.1535, 2)
    expect(cornerOf(read(buildShapefile([OLD_TOWN], PRJ.nad83Csrs)))).toEqual([-75.1, 45.2])
  })

  test('without a .prj are taken for degrees if they can be, and else it asks', () => {
    expect(read(buildShapefile([OLD_TOWN]))).toMatchObject({ isProjectionGuessed: true, columns: ['WARD_NM', 'NOM', 'CODE'] })
    const grid = buildShapefile([{ ...OLD_TOWN, rings: [squareRing(530_034, 180_381, 500)] }])
    expect(refusalOf(grid)).toBe('british-grid')
    expect(read(grid, 'british-grid').box[1]).toBeCloseTo(51.507, 2)
    expect(refusalOf(grid, 'canada-lambert')).toBe('layer-other-grid')
    expect(refusalOf(buildShapefile([{ ...OLD_TOWN, rings: [squareRing(-8_000_000, 5_000_000, 500)] }]))).toBe('area-file-no-projection')
  })

  test('in coordinates that cannot be converted are refused by their name', () => {
    expect(refusalOf(buildShapefile([OLD_TOWN], PRJ.nad27))).toEqual(['area-file-unknown-projection', { name: 'GCS_North_American_1927' }])
    expect(refusalOf(buildShapefile([OLD_TOWN], 'nonsense'))).toEqual(['area-file-unknown-projection', { name: '?' }])
  })

  test('have names in the encoding that the archive says, or else a table of before UTF-8', () => {
    const files = { 'a.shp': buildShp([ISLAND]), 'a.dbf': buildDbf([ISLAND.values], 'latin1'), 'a.prj': PRJ.nad83 }
    expect(read(buildZip(files)).shapes[0]?.values).toContain('Île')
    expect(read(buildZip({ ...files, 'a.cpg': 'ISO-8859-1' })).shapes[0]?.values).toContain('Île')
    expect(read(buildShapefile([ISLAND], PRJ.nad83, { 'wards/wards.cpg': 'UTF-8' })).shapes[0]?.values).toContain('Île')
  })

  test('are refused if they are cut off, several, or not in an archive', () => {
    const shp = buildShp([OLD_TOWN])
    expect(refusalOf(shp)).toBe('area-file-loose')
    expect(refusalOf(buildZip({ 'a.txt': 'hello' }))).toBe('area-file-unreadable')
    expect(refusalOf(buildShapefile([OLD_TOWN], PRJ.nad83).subarray(0, 200))).toBe('area-file-damaged')
    expect(refusalOf(buildZip({ 'a.shp': shp.subarray(0, 60) }))).toBe('area-file-damaged')
    expect(refusalOf(buildZip({ 'north/a.shp': shp, 'b.shp': shp }))).toEqual(['area-file-many-layers', { names: 'a, b' }])
    const table = buildDbf([OLD_TOWN.values])
    table.writeUInt32LE(4_000_000_000, 4)
    expect(refusalOf(buildZip({ 'a.shp': shp, 'a.dbf': table }))).toBe('area-file-damaged')
    expect(refusalOf(buildZip({ 'a.shp': shp, 'bomb.bin': Buffer.alloc(130_000_000) }))).toBe('area-file-damaged')
  })
})

describe('areas from KML', () => {
  const place = (name: string, inside: string) =>
    `<Placemark><name>${name}</name><styleUrl>#s</styleUrl><ExtendedData><Data name="code"><value>W1</value></Data><SchemaData><SimpleData name="nom">Vieille-Ville</SimpleData></SchemaData></ExtendedData>${inside}</Placemark>`
  const ring = (west: number) => `<LinearRing><coordinates>${squareRing(west, 45.2, 0.1).map((at) => `${at.join(',')},0`).join(' \n')}</coordinates></LinearRing>` // prettier-ignore
  const polygon = (west: number) => `<Polygon><outerBoundaryIs>${ring(west)}</outerBoundaryIs></Polygon>`
  const document = (inside: string) => `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Style id="s"><PolyStyle><color>ff0000ff</color></PolyStyle></Style><Folder>${inside}</Folder></Document></kml>` // prettier-ignore

  test('come with their names and data, also from several outlines and from KMZ', () => {
    const text = document(place('Old <![CDATA[& New]]> Town', `<MultiGeometry>${polygon(-75.1)}${polygon(-74.5)}</MultiGeometry>`))
    const expected = { format: 'kml', columns: ['name', 'code', 'nom'], box: [-75.1, 45.2, -74.4, 45.3] }
    const found = read(Buffer.from(text))
    expect({ ...found, box: found.box.map((edge) => Number(edge.toFixed(6))) }).toMatchObject(expected)
    expect(found.shapes).toMatchObject([{ values: ['Old & New Town', 'W1', 'Vieille-Ville'], fault: null }])
    expect(found.shapes[0]?.rings).toHaveLength(2)
    expect(read(buildZip({ 'doc.kml': text })).shapes).toEqual(found.shapes)
  })

  test('are refused if they expand, are not well formed, or are points only', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE kml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><kml><Placemark><name>&b;</name></Placemark></kml>`
    expect(refusalOf(Buffer.from(bomb))).toBe('area-file-unreadable')
    expect(refusalOf(Buffer.from('<kml><Placemark></kml>'))).toBe('area-file-unreadable')
    expect(refusalOf(Buffer.from('<html><body>Not found</body></html>'))).toBe('area-file-no-outlines')
    expect(refusalOf(Buffer.from(document(place('Bench', '<Point><coordinates>-75,45</coordinates></Point>'))))).toBe(
      'area-file-no-outlines',
    )
    expect(refusalOf(Buffer.from(`<kml>${'<a>'.repeat(100)}${'</a>'.repeat(100)}</kml>`))).toBe('area-file-too-detailed')
  })
})

describe('areas from GeoJSON', () => {
  test('in coordinates that a `crs` names are converted', () => {
    const crs = (name: string) => ({ type: 'name', properties: { name } })
    const square = buildAreasJson([{ values: { name: 'Square' }, rings: [squareRing(530_034, 180_381, 500)] }])
    expect(read({ ...square, crs: crs('urn:ogc:def:crs:EPSG::27700') }).box[1]).toBeCloseTo(51.507, 2)
    expect(refusalOf(square)).toBe('british-grid')
    expect(read({ ...buildAreasJson([OLD_TOWN]), crs: crs('urn:ogc:def:crs:OGC:1.3:CRS84') }).box[0]).toBe(-75.1)
    const web = buildAreasJson([{ values: {}, rings: [squareRing(-8_360_094, 5_621_521, 10)] }])
    expect(read({ ...web, crs: crs('EPSG:3857') }).box[0]).toBeCloseTo(-75.1, 3)
    expect(refusalOf({ ...web, crs: crs('EPSG:9999') })).toEqual(['area-file-unknown-projection', { name: 'EPSG:9999' }])
    expect(refusalOf(web)).toBe('layer-not-degrees')
  })

  test('with latitude first are refused, and turned round if somebody says so', () => {
    const turned = buildAreasJson([{ ...OLD_TOWN, rings: OLD_TOWN.rings.map((ring) => ring.map(([x, y]) => [y, x] as const)) }])
    expect(refusalOf(turned)).toBe('area-file-swapped')
    expect(cornerOf(read(turned, null, true))).toEqual([-75.1, 45.2])
    const vancouver = buildAreasJson([{ values: {}, rings: [squareRing(49.2, -123.1, 0.1)] }])
    expect(refusalOf(vancouver)).toBe('area-file-swapped')
  })

  test('say which shapes cross themselves or have no outline; edges that touch do not cross', () => {
    const bow = [[-75, 45], [-74, 46], [-74, 45], [-75, 46], [-75, 45]] as const // prettier-ignore
    const touching = [[-75, 45], [-74, 45], [-74, 46], [-74.5, 45], [-75, 46], [-75, 45]] as const // prettier-ignore
    const shapes = buildAreasJson([
      { values: { name: 'Bow' }, rings: [bow] },
      { values: { name: 'Touching' }, rings: [touching] },
      OLD_TOWN,
    ])
    shapes.features.push({ type: 'Feature', properties: { name: 'Bench' }, geometry: { type: 'Point', coordinates: [-75, 45] } } as never)
    expect(read(shapes).shapes.map(({ fault, isCrossing }) => fault ?? isCrossing)).toEqual([true, false, false, 'no-outline'])
  })

  test('are refused if there are far too many, if they are points only, or not GeoJSON', () => {
    const feature = { type: 'Feature', properties: null, geometry: null }
    const many = { type: 'FeatureCollection', features: Array.from({ length: 100_000 }, () => feature) }
    expect(refusalOf(many)).toEqual(['area-file-too-many', { most: 500, found: 100_000 }])
    expect(refusalOf({ type: 'FeatureCollection', features: [feature] })).toBe('area-file-no-outlines')
    expect(refusalOf({ type: 'Point', coordinates: [1, 2] })).toBe('area-file-no-outlines')
    expect(refusalOf(Buffer.from('name,area'))).toBe('area-file-unreadable')
    expect(refusalOf(Buffer.from([0xff, 0xfe, 0x7b, 0]))).toBe('area-file-unreadable')
    expect(refusalOf({ type: 'Polygon', coordinates: [[[1], [2], [3]]] })).toBe('area-file-damaged')
    expect(refusalOf({ type: 'Polygon', coordinates: 'nowhere' })).toBe('area-file-damaged')
  })

  test('are read in a process of their own, which ends if a file is made to take long', async () => {
    // A comb, all of whose edges lie above the same longitudes and cross nothing.
    const comb = Array.from({ length: 200_000 }, (_, at) => [at % 2 === 0 ? -75 : -74, 45 + at / 400_000] as const)
    const file = Buffer.from(JSON.stringify(buildAreasJson([{ values: {}, rings: [comb] }])))
    const input = { file, convertFrom: null, isSwapped: false }
    await expect(
      readInOwnProcess('area-file', input, crypto.randomUUID(), { seconds: 3, heapMb: 256, wholeMb: 512 }),
    ).rejects.toMatchObject({
      faults: [{ code: 'file-too-complex' }],
    })
  })
})
