import { matchLanguage } from '#app/lib/languages.ts'
import { toInstant, type LooseRecord, toRecord, toRecords, toText, toWebAddress, toWholeNumber } from '../parse-loosely.ts'
import type { ColumnType, DatasetFacts, FoundDataset } from '../opencities.schema.ts'
import { tryRequest } from './ckan.server.ts'
import { readJsonElements } from './json-elements.server.ts'
import { type Portal, PortalFault, UNCHANGED } from './portal.server.ts'
import { batchRows } from './table-file.server.ts'

const API_PATH = '/api/explore/v2.1/catalog'
/** `records` returns at most 100 at once and none after the 10,000th. */
const PAGE_SIZE = 100
const MAX_BY_OFFSET = 10_000
const DATASET_ID = /^[\w@.-]{1,200}$/
const FIELD_TYPES: Record<string, ColumnType> = {
  int: 'number', double: 'number', date: 'date', datetime: 'moment', boolean: 'yes-no', geo_point_2d: 'place', geo_shape: 'place',
} // prettier-ignore

/** An Opendatasoft portal, through its Explore API version 2.1: small tables page by page, large ones through the export. */
export const opendatasoftPortal: Portal = {
  async detect(reader, address) {
    const { origin, hostname } = new URL(address)
    const answer = toRecord(await tryRequest(() => reader.json(`${origin}${API_PATH}/datasets?limit=1`)))
    return toWholeNumber(answer['total_count']) !== null && Array.isArray(answer['results']) ? { url: origin, name: hostname } : undefined
  },
  async search(reader, url, { words, page, size }) {
    const query = new URLSearchParams({ limit: String(size), offset: String((page - 1) * size) })
    if (words) query.set('where', `search("${words.replace(/["\\]/g, ' ')}")`)
    const answer = toRecord(await reader.json(`${url}${API_PATH}/datasets?${query}`))
    const datasets = toRecords(answer['results']).filter(
      (one) => DATASET_ID.test(toText(one['dataset_id'])) && one['has_records'] !== false,
    )
    return { datasets: datasets.map(toFoundDataset), total: toWholeNumber(answer['total_count']) ?? datasets.length }
  },
  async describe(reader, url, id): Promise<DatasetFacts> {
    const dataset = toRecord(await reader.json(`${url}${API_PATH}/datasets/${requireValidId(id)}`))
    const metas = readMetas(dataset)
    return {
      ...toFoundDataset(dataset),
      licenceUrl: toWebAddress(metas['license_url']),
      publisher: toText(metas['publisher']),
      page: `${url}/explore/dataset/${id}/`,
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
  async rows(reader, url, id, request) {
    const facts = await this.describe(reader, url, id)
    const { updatedAt, rows } = facts
    if (updatedAt && request.validators?.modified === updatedAt) return UNCHANGED
    const validators = updatedAt ? { modified: updatedAt } : {}
    const from = Number(request.cursor?.['row'] ?? 0)
    if (rows !== null && rows <= MAX_BY_OFFSET) {
      const readByPage = async function* () {
        for (let offset = from - (from % PAGE_SIZE); offset < rows; offset += PAGE_SIZE) {
          const answer = toRecord(await reader.json(`${url}${API_PATH}/datasets/${id}/records?limit=${PAGE_SIZE}&offset=${offset}`))
          const page = toRecords(answer['results'])
          yield* offset < from ? page.slice(from - offset) : page
          if (page.length === 0) return
        }
      }
      return { validators, batches: batchRows(readByPage(), 0, from) }
    }
    const answer = await reader.file(`${url}${API_PATH}/datasets/${id}/exports/json`, 'application/json')
    if (!answer) return UNCHANGED
    return { validators, batches: batchRows(readJsonElements(answer.body), from) }
  },
  credentials: (token) => ({ authorization: `Apikey ${token}` }),
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
