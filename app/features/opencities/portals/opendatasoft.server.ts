import { matchLanguage } from '#app/lib/languages.ts'
import { instant, type Loose, record, records, text, webAddress, whole } from '../loosely.ts'
import type { ColumnType, DatasetFacts, FoundDataset } from '../opencities.schema.ts'
import { optional } from './ckan.server.ts'
import { jsonElements } from './json-elements.server.ts'
import { type Portal, PortalFault, UNCHANGED } from './portal.server.ts'
import { inBatches } from './table-file.server.ts'

const API = '/api/explore/v2.1/catalog'
/** `records` gives no more than 100 at once, and none beyond the ten-thousandth. */
const PAGE = 100
const MOST_BY_OFFSET = 10_000
const ID = /^[\w@.-]{1,200}$/
const TYPES: Record<string, ColumnType> = {
  int: 'number', double: 'number', date: 'date', datetime: 'moment', boolean: 'yes-no', geo_point_2d: 'place', geo_shape: 'place',
} // prettier-ignore

/** An Opendatasoft portal by its Explore API, version 2.1: small tables page by page, large ones by their export. */
export const opendatasoftPortal: Portal = {
  async detect(reader, address) {
    const { origin, hostname } = new URL(address)
    const answer = record(await optional(() => reader.json(`${origin}${API}/datasets?limit=1`)))
    return whole(answer['total_count']) !== null && Array.isArray(answer['results']) ? { url: origin, name: hostname } : undefined
  },
  async search(reader, url, { words, page, size }) {
    const query = new URLSearchParams({ limit: String(size), offset: String((page - 1) * size) })
    if (words) query.set('where', `search("${words.replace(/["\\]/g, ' ')}")`)
    const answer = record(await reader.json(`${url}${API}/datasets?${query}`))
    const datasets = records(answer['results']).filter((one) => ID.test(text(one['dataset_id'])) && one['has_records'] !== false)
    return { datasets: datasets.map(found), total: whole(answer['total_count']) ?? datasets.length }
  },
  async describe(reader, url, id): Promise<DatasetFacts> {
    const dataset = record(await reader.json(`${url}${API}/datasets/${checked(id)}`))
    const metas = metasOf(dataset)
    return {
      ...found(dataset),
      licenceUrl: webAddress(metas['license_url']),
      publisher: text(metas['publisher']),
      page: `${url}/explore/dataset/${id}/`,
      language: matchLanguage(text(metas['language'])) ?? null,
      columns: records(dataset['fields'])
        .filter((field) => text(field['name']))
        .map((field) => ({
          key: text(field['name']),
          label: text(field['label']) || text(field['name']),
          type: TYPES[text(field['type'])] ?? 'text',
        })),
    }
  },
  async rows(reader, url, id, request) {
    const facts = await this.describe(reader, url, id)
    const { updatedAt, rows } = facts
    if (updatedAt && request.validators?.modified === updatedAt) return UNCHANGED
    const validators = updatedAt ? { modified: updatedAt } : {}
    const from = Number(request.cursor?.['row'] ?? 0)
    if (rows !== null && rows <= MOST_BY_OFFSET) {
      const byPage = async function* () {
        for (let offset = from - (from % PAGE); offset < rows; offset += PAGE) {
          const answer = record(await reader.json(`${url}${API}/datasets/${id}/records?limit=${PAGE}&offset=${offset}`))
          const page = records(answer['results'])
          yield* offset < from ? page.slice(from - offset) : page
          if (page.length === 0) return
        }
      }
      return { validators, batches: inBatches(byPage(), 0, from) }
    }
    const answer = await reader.file(`${url}${API}/datasets/${id}/exports/json`, 'application/json')
    if (!answer) return UNCHANGED
    return { validators, batches: inBatches(jsonElements(answer.body), from) }
  },
  credentials: (token) => ({ authorization: `Apikey ${token}` }),
}

function checked(id: string): string {
  if (!ID.test(id)) throw new PortalFault('portal-missing', `no dataset ${id}`)
  return id
}

const metasOf = (dataset: Loose): Loose => record(record(dataset['metas'])['default'])

function found(dataset: Loose): FoundDataset {
  const metas = metasOf(dataset)
  return {
    id: text(dataset['dataset_id']),
    title: text(metas['title']) || text(dataset['dataset_id']),
    description: text(metas['description']),
    licence: text(metas['license']),
    updatedAt: instant(metas['data_processed']) ?? instant(metas['modified']),
    rows: whole(metas['records_count']),
  }
}
