import { matchLanguage } from '#app/lib/languages.ts'
import { toInstant, type LooseRecord, toRecord, toRecords, toText, toWebAddress, toWholeNumber } from '../parse-loosely.ts'
import type { ColumnType, DatasetFacts, FoundDataset } from '../opencities.schema.ts'
import { tryRequest } from './ckan.server.ts'
import { readJsonElements } from './json-elements.server.ts'
import { findEdition, OPENDATASOFT_EDITIONS, type OpendatasoftEdition } from './opendatasoft-editions.server.ts'
import { type Portal, PortalFault, type SourceRow, UNCHANGED } from './portal.server.ts'
import { batchRows } from './table-file.server.ts'

/** `records` returns at most 100 at once and none after the 10,000th. */
const PAGE_SIZE = 100
const MAX_BY_OFFSET = 10_000
const DATASET_ID = /^[\w@.-]{1,200}$/
const FIELD_TYPES: Record<string, ColumnType> = {
  int: 'number', double: 'number', date: 'date', datetime: 'moment', boolean: 'yes-no', geo_point_2d: 'place', geo_shape: 'place',
} // prettier-ignore

/** An Opendatasoft portal, through the newest edition of its interface that it has: small tables page by page, large ones by export. */
export const opendatasoftPortal: Portal = {
  async detect(reader, address) {
    const { origin, hostname } = new URL(address)
    for (const edition of OPENDATASOFT_EDITIONS) {
      const url = `${origin}${edition.path}`
      const answer = await tryRequest(() => reader.json(`${url}${edition.buildSearch({ words: '', size: 1, offset: 0 })}`))
      if (edition.parseSearch(toRecord(answer))) return { url, name: hostname }
    }
    return undefined
  },
  async search(reader, address, { words, page, size }) {
    const { url, edition } = openEdition(address)
    const answer = toRecord(await reader.json(`${url}${edition.buildSearch({ words, size, offset: (page - 1) * size })}`))
    const { datasets, total } = edition.parseSearch(answer) ?? { datasets: [], total: 0 }
    const tables = datasets.filter((one) => DATASET_ID.test(toText(one['dataset_id'])) && one['has_records'] !== false)
    const visible = tables.filter((one) => one['data_visible'] !== false)
    return {
      datasets: visible.map(toFoundDataset),
      total,
      leftOut: { withoutTable: datasets.length - tables.length, refused: tables.length - visible.length, beyond: 0, of: 'page' },
    }
  },
  async describe(reader, address, id): Promise<DatasetFacts> {
    const { url, edition } = openEdition(address)
    const dataset = edition.parseDataset(toRecord(await reader.json(`${url}${edition.buildDataset(requireValidId(id))}`)))
    const metas = readMetas(dataset)
    return {
      ...toFoundDataset(dataset),
      licenceUrl: toWebAddress(metas['license_url']),
      publisher: toText(metas['publisher']),
      page: `${new URL(url).origin}/explore/dataset/${id}/`,
      language: matchLanguage(toText(metas['language'])) ?? null,
      columns: toRecords(dataset['fields'])
        .filter((field) => toText(field['name']))
        .map((field) => ({
          key: toText(field['name']),
          label: toText(field['label']) || toText(field['name']),
          type: FIELD_TYPES[toText(field['type'])] ?? 'text',
        })),
    }
  },
  async rows(reader, address, id, request) {
    const { url, edition } = openEdition(address)
    const facts = await this.describe(reader, address, id)
    const { updatedAt, rows } = facts
    if (updatedAt && request.validators?.modified === updatedAt) return UNCHANGED
    const validators = updatedAt ? { modified: updatedAt } : {}
    const from = Number(request.cursor?.['row'] ?? 0)
    if (rows !== null && rows <= MAX_BY_OFFSET) {
      const readByPage = async function* () {
        for (let offset = from - (from % PAGE_SIZE); offset < rows;) {
          const page = edition.parseRecords(toRecord(await reader.json(`${url}${edition.buildRecords(id, PAGE_SIZE, offset)}`)))
          yield* offset < from ? page.slice(from - offset) : page
          if (page.length === 0 && offset === 0) throw new PortalFault('portal-refused', `none of ${rows} records is shown to us`)
          if (page.length === 0) return
          offset += page.length
        }
      }
      return { validators, batches: batchRows(readByPage(), 0, from) }
    }
    const answer = await reader.file(`${url}${edition.buildExport(id)}`, 'application/json')
    if (!answer) return UNCHANGED
    return { validators, batches: batchRows(readExport(answer.body, edition), from) }
  },
  credentials: (token) => ({ authorization: `Apikey ${token}` }),
}

/** Connectors that were made before there were editions have the portal's own address. */
function openEdition(address: string): { url: string; edition: OpendatasoftEdition } {
  const edition = findEdition(address)
  return { url: `${new URL(address).origin}${edition.path}`, edition }
}

async function* readExport(body: AsyncIterable<Buffer>, edition: OpendatasoftEdition): AsyncGenerator<SourceRow, void, undefined> {
  for await (const record of readJsonElements(body)) yield edition.parseExported(record)
}

function requireValidId(id: string): string {
  if (!DATASET_ID.test(id)) throw new PortalFault('portal-missing', `no dataset ${id}`)
  return id
}

const readMetas = (dataset: LooseRecord): LooseRecord => toRecord(toRecord(dataset['metas'])['default'])

function toFoundDataset(dataset: LooseRecord): FoundDataset {
  const metas = readMetas(dataset)
  return {
    id: toText(dataset['dataset_id']),
    title: toText(metas['title']) || toText(dataset['dataset_id']),
    description: toText(metas['description']),
    licence: toText(metas['license']),
    updatedAt: toInstant(metas['data_processed']) ?? toInstant(metas['modified']),
    rows: toWholeNumber(metas['records_count']),
  }
}
