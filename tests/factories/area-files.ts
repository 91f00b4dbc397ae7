import { crc32, deflateRawSync } from 'node:zlib'

type Ring = readonly (readonly [x: number, y: number])[]

export interface DrawnWard {
  values: Record<string, string>
  rings: readonly Ring[]
}

/** A clockwise square, as a Shapefile has outlines. */
export const squareRing = (west: number, south: number, side: number): Ring => [
  [west, south],
  [west, south + side],
  [west + side, south + side],
  [west + side, south],
  [west, south],
]

/** A ZIP archive of files, written byte by byte after APPNOTE.TXT. */
export function buildZip(files: Readonly<Record<string, Buffer | string>>): Buffer {
  const [bodies, directory]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content)
    const [packed, title] = [deflateRawSync(data), Buffer.from(name)]
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(crc32(data), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(data.length, 18)
    facts.writeUInt16LE(title.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    bodies.push(Buffer.from('PK\u0003\u0004', 'latin1'), facts, title, packed)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), facts, place, title)
    at += 30 + title.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, listed, end])
}

/** The main file of a Shapefile with polygons, after the ESRI Shapefile Technical Description of 1998. */
export function buildShp(wards: readonly Pick<DrawnWard, 'rings'>[]): Buffer {
  const records = wards.map(({ rings }, at) => {
    const points = rings.flat()
    const content = Buffer.alloc(44 + 4 * rings.length + 16 * points.length)
    content.writeInt32LE(5, 0)
    writeBox(content, 4, points)
    content.writeInt32LE(rings.length, 36)
    content.writeInt32LE(points.length, 40)
    let first = 0
    for (const [number, ring] of rings.entries()) {
      content.writeInt32LE(first, 44 + 4 * number)
      first += ring.length
    }
    for (const [number, [x, y]] of points.entries()) {
      content.writeDoubleLE(x, 44 + 4 * rings.length + 16 * number)
      content.writeDoubleLE(y, 52 + 4 * rings.length + 16 * number)
    }
    const head = Buffer.alloc(8)
    head.writeInt32BE(at + 1, 0)
    head.writeInt32BE(content.length / 2, 4)
    return Buffer.concat([head, content])
  })
  const header = Buffer.alloc(100)
  header.writeInt32BE(9994, 0)
  header.writeInt32BE((100 + Buffer.concat(records).length) / 2, 24)
  header.writeInt32LE(1000, 28)
  header.writeInt32LE(5, 32)
  writeBox(header, 36, wards.flatMap(({ rings }) => rings.flat())) // prettier-ignore
  return Buffer.concat([header, ...records])
}

function writeBox(into: Buffer, at: number, points: Ring): void {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  for (const [number, value] of [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].entries())
    into.writeDoubleLE(value, at + 8 * number)
}

const FIELD_BYTES = 40

/** The table of a Shapefile: dBASE III, columns of 40 bytes. */
export function buildDbf(rows: readonly Record<string, string>[], encoding: 'utf8' | 'latin1' = 'utf8'): Buffer {
  const names = Object.keys(rows[0] ?? {})
  const header = Buffer.alloc(32)
  header[0] = 3
  header.writeUInt32LE(rows.length, 4)
  header.writeUInt16LE(33 + 32 * names.length, 8)
  header.writeUInt16LE(1 + FIELD_BYTES * names.length, 10)
  const fields = names.map((name) => {
    const field = Buffer.alloc(32)
    field.write(name, 'latin1')
    field.write('C', 11, 'latin1')
    field[16] = FIELD_BYTES
    return field
  })
  const cells = rows.flatMap((row) => [
    Buffer.from(' '),
    ...names.map((name) => {
      const cell = Buffer.alloc(FIELD_BYTES, ' ')
      cell.write(row[name] ?? '', encoding)
      return cell
    }),
  ])
  return Buffer.concat([header, ...fields, Buffer.from('\r'), ...cells, Buffer.from('\u001A')])
}

/** A Shapefile in an archive. */
export const buildShapefile = (wards: readonly DrawnWard[], prj?: string, more: Record<string, Buffer | string> = {}): Buffer =>
  buildZip({
    'wards/wards.shp': buildShp(wards),
    'wards/wards.dbf': buildDbf(wards.map(({ values }) => values)),
    ...(prj !== undefined && { 'wards/wards.prj': prj }),
    ...more,
  })

/** As ArcGIS writes them. */
export const PRJ = {
  nad83:
    'GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
  nad83Csrs:
    'GEOGCS["GCS_North_American_1983_CSRS",DATUM["D_North_American_1983_CSRS",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
  nad27:
    'GEOGCS["GCS_North_American_1927",DATUM["D_North_American_1927",SPHEROID["Clarke_1866",6378206.4,294.9786982]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
  britishGrid:
    'PROJCS["British_National_Grid",GEOGCS["GCS_OSGB_1936",DATUM["D_OSGB_1936",SPHEROID["Airy_1830",6377563.396,299.3249646]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",400000.0],PARAMETER["False_Northing",-100000.0],PARAMETER["Central_Meridian",-2.0],PARAMETER["Scale_Factor",0.9996012717],PARAMETER["Latitude_Of_Origin",49.0],UNIT["Meter",1.0]]',
  utm18:
    'PROJCS["NAD_1983_UTM_Zone_18N",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-75.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]',
}

/** Areas as GeoJSON. */
export const buildAreasJson = (wards: readonly DrawnWard[]) => ({
  type: 'FeatureCollection',
  features: wards.map(({ values, rings }) => ({ type: 'Feature', properties: values, geometry: { type: 'Polygon', coordinates: rings } })),
})
