import { instant, list, type Loose, record, records, text, webAddress, whole } from '../loosely.ts'
import type { ColumnType, DatasetFacts } from '../opencities.schema.ts'
import { optional } from './ckan.server.ts'
import { rowsSince } from './paging.server.ts'
import { type Portal, PortalFault, type SourceRow } from './portal.server.ts'

const PAGE = 10_000
const ID = /^[a-z0-9]{4}-[a-z0-9]{4}$/
const TYPES: Record<string, ColumnType> = {
  number: 'number', money: 'number', percent: 'number', double: 'number', checkbox: 'yes-no', calendar_date: 'moment', floating_timestamp: 'moment',
  fixed_timestamp: 'moment', date: 'moment', url: 'link', point: 'place', location: 'place', line: 'place', polygon: 'place', multipoint: 'place',
  multiline: 'place', multipolygon: 'place',
} // prettier-ignore

/** A Socrata portal: found by its Discovery API, read by SODA 2.1 in the order of `:id`, or by SODA 3 where the older one is gone. */
export const socrataPortal: Portal = {
  async detect(reader, address) {
    const { origin, hostname } = new URL(address)
    const answer = record(
      await optional(() => reader.json(`${origin}/api/catalog/v1?domains=${hostname}&search_context=${hostname}&limit=1`)),
    )
    return Array.isArray(answer['results']) && whole(answer['resultSetSize']) !== null ? { url: origin, name: hostname } : undefined
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
    const answer = record(await reader.json(`${url}/api/catalog/v1?${query}`))
    const datasets = records(answer['results']).flatMap((one) => {
      const resource = record(one['resource'])
      const id = text(resource['id'])
      return ID.test(id)
        ? [
            {
              id,
              title: text(resource['name']),
              description: text(resource['description']),
              licence: text(record(one['metadata'])['license']),
              updatedAt: instant(resource['data_updated_at']) ?? instant(resource['updatedAt']),
              rows: null,
            },
          ]
        : []
    })
    return { datasets, total: whole(answer['resultSetSize']) ?? datasets.length }
  },
  async describe(reader, url, id): Promise<DatasetFacts> {
    const view = record(await reader.json(`${url}/api/views/${checked(id)}.json`))
    const licence = record(view['license'])
    const columns = records(view['columns']).filter((column) => text(column['fieldName']) && !text(column['fieldName']).startsWith(':'))
    if (columns.length === 0) throw new PortalFault('portal-not-understood', 'a view without columns')
    const counted = records(list(record(columns[0]?.['cachedContents'])['count'] ?? null))
    return {
      id,
      title: text(view['name']),
      description: text(view['description']),
      licence: text(licence['name']) || text(view['licenseId']),
      licenceUrl: webAddress(licence['termsLink']),
      publisher: text(view['attribution']),
      page: `${url}/d/${id}`,
      language: null,
      updatedAt: instant(view['rowsUpdatedAt']) ?? instant(view['viewLastModified']),
      rows: counted.length > 0 ? whole(record(columns[0]?.['cachedContents'])['count']) : null,
      columns: columns.map((column) => ({
        key: text(column['fieldName']),
        label: text(column['name']) || text(column['fieldName']),
        type: TYPES[text(column['dataTypeName'])] ?? 'text',
      })),
    }
  },
  async rows(reader, url, id, request) {
    const view = record(await reader.json(`${url}/api/views/${checked(id)}.json`))
    let newer = false
    return rowsSince({ updatedAt: instant(view['rowsUpdatedAt']) }, request, async (offset) => {
      const older = `${url}/resource/${id}.json?${new URLSearchParams({ $order: ':id', $limit: String(PAGE), $offset: String(offset) })}`
      const soda3 = new URLSearchParams({ query: 'SELECT * ORDER BY :id', pageNumber: String(offset / PAGE + 1), pageSize: String(PAGE) })
      const read = () => reader.json(`${url}/api/v3/views/${id}/query.json?${soda3}`)
      const answer = newer ? await read() : await optional(() => reader.json(older))
      if (answer === undefined) newer = true
      const rows = answer ?? (await read())
      if (!Array.isArray(rows)) throw new PortalFault('portal-not-understood', 'rows that are no list')
      return { rows: records(rows).map(plain), more: rows.length === PAGE }
    })
  },
  credentials: (token) => ({ 'x-app-token': token }),
}

function checked(id: string): string {
  if (!ID.test(id)) throw new PortalFault('portal-missing', `no dataset ${id}`)
  return id
}

/** Links come as objects. */
const plain = (row: Loose): SourceRow =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, webAddress(record(value)['url']) ?? value]))
