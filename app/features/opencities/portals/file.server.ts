import { createReadStream, existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { habitsOf } from '../cells.ts'
import { featureRows } from './distribution.server.ts'
import { type Portal, PortalFault, type SourceRow, UNCHANGED } from './portal.server.ts'
import type { PortalReader } from './reader.server.ts'
import { csvRows, inBatches, sampledColumns } from './table-file.server.ts'

/** Files of the product's own: never any other of the machine it runs on. */
const FOLDERS = /^\/demo(?:\/[a-z0-9-]+)+$/
const NAMES = /^\/demo(?:\/[a-z0-9-]+)+\.(?:csv|geojson)$/

/** A folder of CSV and GeoJSON files of this installation, as the demo has one: it needs no network. Only the demo makes such connectors. */
export const filePortal: Portal = {
  detect: () => Promise.resolve(undefined),
  async search(reader, url, { words, page, size }) {
    if (!FOLDERS.test(url)) throw new PortalFault('portal-missing', `no folder ${url}`)
    const names = (await readdir(pathOf(url))).filter((name) => NAMES.test(`${url}/${name}`) && name.includes(words.toLowerCase()))
    const inView = names.toSorted().slice((page - 1) * size, page * size)
    const datasets = await Promise.all(inView.map((name) => this.describe(reader, url, `${url}/${name}`)))
    return { datasets, total: names.length }
  },
  async describe(_: PortalReader, __: string, id: string) {
    const { path, modified } = await find(id)
    return {
      id,
      title:
        id
          .split('/')
          .at(-1)
          ?.replace(/\.(csv|geojson)$/, '')
          .replaceAll('-', ' ') ?? id,
      description: '',
      licence: '',
      licenceUrl: null,
      publisher: '',
      page: null,
      language: null,
      updatedAt: modified,
      rows: null,
      columns: await sampledColumns(rowsOf(path), habitsOf('en', '')),
    }
  },
  async rows(_, __, id, { cursor, validators }) {
    const { path, modified } = await find(id)
    if (validators?.modified === modified) return UNCHANGED
    return { validators: { modified }, batches: inBatches(rowsOf(path), Number(cursor?.['row'] ?? 0)) }
  },
  credentials: () => ({}),
}

const rowsOf = (path: string): AsyncGenerator<SourceRow, void, undefined> => {
  const body: AsyncIterable<Buffer> = createReadStream(path)
  return path.endsWith('.csv') ? csvRows(body) : featureRows(body)
}

async function find(id: string): Promise<{ path: string; modified: string }> {
  if (!NAMES.test(id)) throw new PortalFault('portal-missing', `no file ${id}`)
  const path = pathOf(id)
  try {
    return { path, modified: (await stat(path)).mtime.toISOString() }
  } catch {
    throw new PortalFault('portal-missing', `no file ${id}`)
  }
}

/** Below `public`, which lies above this file both in its source and in the finished bundle. */
function pathOf(address: string): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'public/demo')) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, 'public', address)
}
