import { matchLanguage } from '#app/lib/languages.ts'
import { guessColumnType, toSourceLocale } from '../parse-cells.ts'
import { toInstant, toList, type LooseRecord, toRecord, toRecords, toText, toWebAddress, toWholeNumber } from '../parse-loosely.ts'
import type { ColumnType, DatasetFacts, FoundDataset } from '../opencities.schema.ts'
import { readFileFacts, readFileRows, detectFormat } from './file-formats.server.ts'
import { readRowsIfChanged } from './read-pages.server.ts'
import { type Portal, PortalFault } from './portal.server.ts'
import type { PortalReader } from './portal-reader.server.ts'

const PAGE_SIZE = 5000
const FIELD_TYPES: Record<string, ColumnType> = {
  int: 'number', int2: 'number', int4: 'number', int8: 'number', numeric: 'number', float: 'number', float4: 'number', float8: 'number',
  date: 'date', timestamp: 'moment', timestamptz: 'moment', bool: 'yes-no', boolean: 'yes-no',
} // prettier-ignore

/**
 * A CKAN portal, through its action API version 3. A dataset here is a resource of a package: read row by row if it is in the datastore,
 * otherwise as a file.
 */
export const ckanPortal: Portal = {
  async detect(reader, address) {
    const base = address.replace(/\/(dataset|api)(\/.*)?$|[?#].*$|\/+$/g, '')
    const status = toRecord(await tryRequest(() => reader.json(`${base}/api/3/action/status_show`)))
    if (status['success'] !== true) return undefined
    return { url: base, name: toText(toRecord(status['result'])['site_title']) || new URL(base).hostname }
  },
  async search(reader, url, { words, page, size }) {
    const result = await callAction(reader, url, 'package_search', {
      q: words || '*:*',
      rows: String(size),
      start: String((page - 1) * size),
    })
    const packages = toRecords(result['results'])
    const datasets = packages.flatMap((one) => listTableResources(one).map((resource) => toFoundDataset(one, resource)))
    const withoutTable = packages.filter((one) => listTableResources(one).length === 0).length
    return { datasets, total: toWholeNumber(result['count']) ?? datasets.length, leftOut: { withoutTable, beyond: 0, of: 'page' } }
  },
  async describe(reader, url, id): Promise<DatasetFacts> {
    const resource = await callAction(reader, url, 'resource_show', { id })
    const dataset = await callAction(reader, url, 'package_show', { id: toText(resource['package_id']) })
    const facts = toFoundDataset(dataset, resource)
    const common = {
      ...facts,
      licenceUrl: toWebAddress(dataset['license_url']),
      publisher: toText(toRecord(dataset['organization'])['title']) || toText(dataset['author']),
      page: `${url}/dataset/${encodeURIComponent(toText(dataset['name']) || toText(dataset['id']))}`,
      language: matchLanguage(toText(dataset['language'])) ?? null,
    }
    if (resource['datastore_active'] !== true) {
      const file = requireFile(resource)
      const own = await readFileFacts(reader, file.url, file.format)
      return { ...common, columns: own.columns, updatedAt: facts.updatedAt ?? own.updatedAt }
    }
    const store = await callAction(reader, url, 'datastore_search', { resource_id: id, limit: '200' })
    const sample = toRecords(store['records'])
    const sourceLocale = toSourceLocale(matchLanguage(reader.language) ?? 'en', '')
    const columns = toRecords(store['fields'])
      .filter((field) => toText(field['id']) && field['id'] !== '_id')
      .map((field) => {
        const key = toText(field['id'])
        const type =
          FIELD_TYPES[toText(field['type']).toLowerCase()] ??
          guessColumnType(
            key,
            sample.map((row) => row[key]),
            sourceLocale,
          )
        return { key, label: toText(toRecord(field['info'])['label']) || key, type }
      })
    return { ...common, rows: toWholeNumber(store['total']), columns }
  },
  async rows(reader, url, id, request) {
    const resource = await callAction(reader, url, 'resource_show', { id })
    if (resource['datastore_active'] !== true) {
      const file = requireFile(resource)
      return readFileRows(reader, file.url, file.format, request)
    }
    const updatedAt = toInstant(resource['last_modified'])
    return readRowsIfChanged({ updatedAt }, request, async (offset) => {
      const store = await callAction(reader, url, 'datastore_search', {
        resource_id: id,
        limit: String(PAGE_SIZE),
        offset: String(offset),
        sort: '_id asc',
      })
      const rows = toRecords(store['records'])
      const total = toWholeNumber(store['total'])
      return { rows, more: total === null ? rows.length === PAGE_SIZE : offset + rows.length < total }
    })
  },
  credentials: (token) => ({ authorization: token }),
}

async function callAction(reader: PortalReader, url: string, name: string, parameters: Record<string, string>): Promise<LooseRecord> {
  const answer = toRecord(await reader.json(`${url}/api/3/action/${name}?${new URLSearchParams(parameters)}`))
  if (answer['success'] !== true) throw new PortalFault('portal-not-understood', `${name} did not succeed`)
  return toRecord(answer['result'])
}

/** The resources of a package that are tables. */
const listTableResources = (dataset: LooseRecord): LooseRecord[] =>
  toRecords(dataset['resources']).filter(
    (one) => toText(one['id']) && (one['datastore_active'] === true || detectResourceFormat(one) !== undefined),
  )

const detectResourceFormat = (resource: LooseRecord) =>
  toWebAddress(resource['url']) ? detectFormat(resource['format'], resource['mimetype'], resource['url']) : undefined

function requireFile(resource: LooseRecord) {
  const url = toWebAddress(resource['url'])
  const format = detectResourceFormat(resource)
  if (!url || !format) throw new PortalFault('portal-not-understood', 'a resource that is no table')
  return { url, format }
}

function toFoundDataset(dataset: LooseRecord, resource: LooseRecord): FoundDataset {
  const [name, part] = [toText(dataset['title']) || toText(dataset['name']), toText(resource['name'])]
  return {
    id: toText(resource['id']),
    title: part && part !== name && toList(dataset['resources']).length > 1 ? `${name}: ${part}` : name,
    description: toText(resource['description']) || toText(dataset['notes']),
    licence: toText(dataset['license_title']) || toText(dataset['license_id']),
    updatedAt: toInstant(resource['last_modified']) ?? toInstant(dataset['metadata_modified']),
    rows: null,
  }
}

/** A request that may fail because the portal is of another kind; undefined if it does. */
export async function tryRequest<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof PortalFault && (error.code === 'portal-missing' || error.code === 'portal-not-understood')) return undefined
    throw error
  }
}
