import { gunzipSync } from 'node:zlib'
import { type Cache, Compression, type Header, PMTiles, ResolvedValueCache, type Source } from 'pmtiles'
import { processMemory } from '#app/server/memory/memory-budget.ts'
import type { Storage } from '#app/server/storage/storage.ts'
import { type MapTile, readMapTile } from './map-tile.server.ts'

export const MAX_TILE_BYTES = 1_000_000
/** Of a directory of a map file, unpacked. */
const MAX_DIRECTORY_BYTES = 4_000_000
const TILES_BYTES = 12_000_000
const DIRECTORIES_BYTES = 3_000_000
const ENTRY_BYTES = 110
const EMPTY_TILE: MapTile = { shapes: [], bytes: 200 }

const tiles = processMemory.open<MapTile>('map tiles', { maxBytes: TILES_BYTES })
const directories = processMemory.open<{ value: unknown }>('map directories', { maxBytes: DIRECTORIES_BYTES })

/** Unpacks a part of a map file, which may say that it is larger than it should be. */
export function unpackBounded(packed: ArrayBuffer, compression: Compression, most = MAX_DIRECTORY_BYTES): Promise<ArrayBuffer> {
  if (compression === Compression.None) {
    return packed.byteLength <= most ? Promise.resolve(packed) : Promise.reject(new RangeError('A part of a map file is too large'))
  }
  if (compression !== Compression.Gzip) return Promise.reject(new TypeError('A map file is compressed in an unknown way'))
  const { buffer, byteOffset, byteLength } = gunzipSync(packed, { maxOutputLength: most })
  return Promise.resolve(buffer.slice(byteOffset, byteOffset + byteLength))
}

/** Keeps headers and directories within the process's memory; failed reads are not kept. */
class RememberedDirectories implements Cache {
  getHeader(source: Source): Promise<Header> {
    return this.#obtain(source.getKey(), 500, (reader) => reader.getHeader(source))
  }

  getDirectory(source: Source, offset: number, length: number, header: Header) {
    const key = `${source.getKey()} ${offset} ${length}`
    return this.#obtain(key, 0, (reader) => reader.getDirectory(source, offset, length, header))
  }

  invalidate(): Promise<void> {
    return Promise.resolve()
  }

  async #obtain<Value>(key: string, bytes: number, read: (reader: ResolvedValueCache) => Promise<Value>): Promise<Value> {
    const found = directories.find(key)
    if (found) return found.value as Value
    const value = await read(new ResolvedValueCache(2, false, unpackBounded))
    directories.set(key, { value }, bytes + (Array.isArray(value) ? value.length * ENTRY_BYTES : 0))
    return value
  }
}

const remembered = new RememberedDirectories()

/** The parts of a site's map file. */
export interface MapFile {
  readTile(z: number, x: number, y: number): Promise<MapTile>
}

/** @param key under which the file is stored; it never changes under it */
export function openMapFile(storage: Storage, key: string): MapFile {
  const source: Source = {
    getKey: () => key,
    getBytes: async (offset, length) => {
      const bytes = await storage.readRange(key, offset, length)
      if (!bytes) throw new Error(`The map file ${key} is missing`)
      return { data: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer }
    },
  }
  const file = new PMTiles(source, remembered, unpackBounded)
  return {
    readTile: async (z, x, y) => {
      const name = `${key} ${z}/${x}/${y}`
      const found = tiles.find(name)
      if (found) return found
      const read = await file.getZxy(z, x, y)
      const tile = read ? readMapTile(new Uint8Array(read.data)) : EMPTY_TILE
      tiles.set(name, tile, tile.bytes)
      return tile
    },
  }
}
