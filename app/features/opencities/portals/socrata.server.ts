import { toInstant, toList, type LooseRecord, toRecord, toRecords, toText, toWebAddress, toWholeNumber } from '../parse-loosely.ts'
import type { ColumnType, DatasetFacts } from '../opencities.schema.ts'
import { tryRequest } from './ckan.server.ts'
import { readRowsIfChanged } from './read-pages.server.ts'
import { type Portal, PortalFault, type SourceRow } from './portal.server.ts'

const PAGE_SIZE = 10_000
const DATASET_ID = /^[a-z0-9]{4}-[a-z0-9]{4}$/
const FIELD_TYPES: Record<string, ColumnType> = {
  number: 'number', money: 'number', percent: 'number', double: 'number', checkbox: 'yes-no', calendar_date: 'moment', floating_timestamp: 'moment',
  fixed_timestamp: 'moment', date: 'moment', url: 'link', point: 'place', location: 'place', line: 'place', polygon: 'place', multipoint: 'place',
  multiline: 'place', multipolygon: 'place',
} // prettier-ignore

/** A Socrata portal: found by its Discovery API, read by SODA 2.1 in the order of `:id`, or by SODA 3 if the older one is gone. */
export const socrataPortal: Portal = {
  async detect(reader, address) {
    const { origin, hostname } = new URL(address)
    const answer = toRecord(
      await tryRequest(() => reader.json(`${origin}/api/catalog/v1?domains=${hostname}&search_context=${hostname}&limit=1`)),
    )
    return Array.isArray(answer['results']) && toWholeNumber(answer['resultSetSize']) !== null ? { url: origin, name: hostname } : undefined
  },
  async search(reader, url, { words, page, size }) {
    const { hostname } = new URL(url)
    const query = new URLSearchParams({
      domains: hostname,
      search_context: hostname,
      only: 'dataset',
      limit: String(size),
      offset: String((page - 1) * size),
    })
    if (words) query.set('q', words)
    const answer = toRecord(await reader.json(`${url}/api/catalog/v1?${query}`))
    const datasets = toRecords(answer['results']).flatMap((one) => {
      const resource = toRecord(one['resource'])
      const id = toText(resource['id'])
      return DATASET_ID.test(id)
        ? [
            {
              id,
              title: toText(resource['name']),
              description: toText(resource['description']),
              licence: toText(toRecord(one['metadata'])['license']),
              updatedAt: toInstant(resource['data_updated_at']) ?? toInstant(resource['updatedAt']),
              rows: null,
            },
          ]
        : []
    })
    return { datasets, total: toWholeNumber(answer['resultSetSize']) ?? datasets.length }
  },
  async describe(reader, url, id): Promise<DatasetFacts> {
    const view = toRecord(await reader.json(`${url}/api/views/${requireValidId(id)}.json`))
    const licence = toRecord(view['license'])
    const columns = toRecords(view['columns']).filter(
      (column) => toText(column['fieldName']) && !toText(column['fieldName']).startsWith(':'),
    )
    if (columns.length === 0) throw new PortalFault('portal-not-understood', 'a view without columns')
    const counted = toRecords(toList(toRecord(columns[0]?.['cachedContents'])['count'] ?? null))
    return {
      id,
      title: toText(view['name']),
      description: toText(view['description']),
      licence: toText(licence['name']) || toText(view['licenseId']),
      licenceUrl: toWebAddress(licence['termsLink']),
      publisher: toText(view['attribution']),
      page: `${url}/d/${id}`,
      language: null,
      updatedAt: toInstant(view['rowsUpdatedAt']) ?? toInstant(view['viewLastModified']),
      rows: counted.length > 0 ? toWholeNumber(toRecord(columns[0]?.['cachedContents'])['count']) : null,
      columns: columns.map((column) => ({
        key: toText(column['fieldName']),
        label: toText(column['name']) || toText(column['fieldName']),
        type: FIELD_TYPES[toText(column['dataTypeName'])] ?? 'text',
      })),
    }
  },
  async rows(reader, url, id, request) {
    const view = toRecord(await reader.json(`${url}/api/views/${requireValidId(id)}.json`))
    let newer = false
    return readRowsIfChanged({ updatedAt: toInstant(view['rowsUpdatedAt']) }, request, async (offset) => {
      const older = `${url}/resource/${id}.json?${new URLSearchParams({ $order: ':id', $limit: String(PAGE_SIZE), $offset: String(offset) })}`
      const soda3 = new URLSearchParams({
        query: 'SELECT * ORDER BY :id',
        pageNumber: String(offset / PAGE_SIZE + 1),
        pageSize: String(PAGE_SIZE),
      })
      const readSoda3 = () => reader.json(`${url}/api/v3/views/${id}/query.json?${soda3}`)
      const answer = newer ? await readSoda3() : await tryRequest(() => reader.json(older))
      if (answer === undefined) newer = true
      const rows = answer ?? (await readSoda3())
      if (!Array.isArray(rows)) throw new PortalFault('portal-not-understood', 'rows that are no list')
      return { rows: toRecords(rows).map(toPlainRow), more: rows.length === PAGE_SIZE }
    })
  },
  credentials: (token) => ({ 'x-app-token': token }),
}

function requireValidId(id: string): string {
  if (!DATASET_ID.test(id)) throw new PortalFault('portal-missing', `no dataset ${id}`)
  return id
}

/** Socrata sends links as objects. */
const toPlainRow = (row: LooseRecord): SourceRow =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, toWebAddress(toRecord(value)['url']) ?? value]))
