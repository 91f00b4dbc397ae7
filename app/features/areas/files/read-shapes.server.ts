import { isUtf8 } from 'node:buffer'
import { parseDbf, parseShp } from 'shpjs'
import { type FileFeature, refuseFile } from './file-feature.server.ts'

interface ShapeFiles {
  shp: Buffer
  /** The table of its values. */
  dbf: Buffer | undefined
  /** Of the table, as the `.cpg` names it. */
  encoding: string | undefined
}

const DBF_HEADER_BYTES = 33

/** Shapes with their values, in the coordinates of the file. @throws {AppError} `invalid` at `/upload` with `area-file-damaged` */
export function readShapes({ shp, dbf, encoding }: ShapeFiles): FileFeature[] {
  try {
    const geometries = parseShp(shp) as unknown[]
    const rows = dbf && hasItsRows(dbf) ? (parseDbf(dbf, Buffer.from(encoding ?? guessEncoding(dbf))) as unknown[]) : []
    return geometries.map((geometry, at) => ({ geometry, properties: rows[at] }))
  } catch {
    return refuseFile('area-file-damaged')
  }
}

/** Tables of before UTF-8 seldom say what they are in. */
const guessEncoding = (dbf: Buffer): string => (isUtf8(dbf.subarray(dbf.readUInt16LE(8))) ? 'utf-8' : 'windows-1252')

/** A table that says it has more rows than it holds would be read for a very long time. */
function hasItsRows(dbf: Buffer): boolean {
  if (dbf.length < DBF_HEADER_BYTES) return false
  const [rows, headerBytes, rowBytes] = [dbf.readUInt32LE(4), dbf.readUInt16LE(8), dbf.readUInt16LE(10)]
  if (headerBytes + rows * rowBytes > dbf.length + 1) throw new Error('Cut off')
  return true
}
