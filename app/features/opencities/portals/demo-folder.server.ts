import { createReadStream, existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { toSourceLocale } from '../parse-cells.ts'
import { readFeatureRows } from './file-formats.server.ts'
import { type Portal, PortalFault, type SourceRow, UNCHANGED } from './portal.server.ts'
import type { PortalReader } from './portal-reader.server.ts'
import { readCsvRows, batchRows, guessColumns } from './table-file.server.ts'

/** Only the product's own files, never others of the machine. */
const FOLDER_PATH = /^\/demo(?:\/[a-z0-9-]+)+$/
const FILE_PATH = /^\/demo(?:\/[a-z0-9-]+)+\.(?:csv|geojson)$/

/**
 * A folder of this installation with CSV and GeoJSON files, used by the demo: it needs no network. Only the demo creates such connectors.
 */
export const demoFolderPortal: Portal = {
  detect: () => Promise.resolve(undefined),
  async search(reader, url, { words, page, size }) {
    if (!FOLDER_PATH.test(url)) throw new PortalFault('portal-missing', `no folder ${url}`)
    const names = (await readdir(resolvePath(url))).filter((name) => FILE_PATH.test(`${url}/${name}`) && name.includes(words.toLowerCase()))
    const inView = names.toSorted().slice((page - 1) * size, page * size)
    const datasets = await Promise.all(inView.map((name) => this.describe(reader, url, `${url}/${name}`)))
    return { datasets, total: names.length }
  },
  async describe(_: PortalReader, __: string, id: string) {
    const { path, modified } = await requireFile(id)
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
      columns: await guessColumns(readRows(path), toSourceLocale('en', '')),
    }
  },
  async rows(_, __, id, { cursor, validators }) {
    const { path, modified } = await requireFile(id)
    if (validators?.modified === modified) return UNCHANGED
    return { validators: { modified }, batches: batchRows(readRows(path), Number(cursor?.['row'] ?? 0)) }
  },
  credentials: () => ({}),
}

const readRows = (path: string): AsyncGenerator<SourceRow, void, undefined> => {
  const body: AsyncIterable<Buffer> = createReadStream(path)
  return path.endsWith('.csv') ? readCsvRows(body) : readFeatureRows(body)
}

async function requireFile(id: string): Promise<{ path: string; modified: string }> {
  if (!FILE_PATH.test(id)) throw new PortalFault('portal-missing', `no file ${id}`)
  const path = resolvePath(id)
  try {
    return { path, modified: (await stat(path)).mtime.toISOString() }
  } catch {
    throw new PortalFault('portal-missing', `no file ${id}`)
  }
}

/** Resolves a path below `public`, which is a parent of this file in the source as well as in the bundle. */
function resolvePath(address: string): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'public/demo')) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, 'public', address)
}
