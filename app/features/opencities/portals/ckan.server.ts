import { matchLanguage } from '#app/lib/languages.ts'
import { guessType, habitsOf } from '../cells.ts'
import { instant, list, type Loose, record, records, text, webAddress, whole } from '../loosely.ts'
import type { ColumnType, DatasetFacts, FoundDataset } from '../opencities.schema.ts'
import { fileFacts, fileRows, formatOf } from './distribution.server.ts'
import { rowsSince } from './paging.server.ts'
import { type Portal, PortalFault } from './portal.server.ts'
import type { PortalReader } from './reader.server.ts'

const PAGE = 5000
const TYPES: Record<string, ColumnType> = {
  int: 'number', int2: 'number', int4: 'number', int8: 'number', numeric: 'number', float: 'number', float4: 'number', float8: 'number',
  date: 'date', timestamp: 'moment', timestamptz: 'moment', bool: 'yes-no', boolean: 'yes-no',
} // prettier-ignore

/**
 * A CKAN portal by its action API, version 3. A dataset here is a resource of a package: one in its datastore is read row by row, any
 * other as the file it is.
 */
export const ckanPortal: Portal = {
  async detect(reader, address) {
    const base = address.replace(/\/(dataset|api)(\/.*)?$|[?#].*$|\/+$/g, '')
    const status = record(await optional(() => reader.json(`${base}/api/3/action/status_show`)))
    if (status['success'] !== true) return undefined
    return { url: base, name: text(record(status['result'])['site_title']) || new URL(base).hostname }
  },
  async search(reader, url, { words, page, size }) {
    const result = await action(reader, url, 'package_search', { q: words || '*:*', rows: String(size), start: String((page - 1) * size) })
    const datasets = records(result['results']).flatMap((one) => readable(one).map((resource) => found(one, resource)))
    return { datasets, total: whole(result['count']) ?? datasets.length }
  },
  async describe(reader, url, id): Promise<DatasetFacts> {
    const resource = await action(reader, url, 'resource_show', { id })
    const dataset = await action(reader, url, 'package_show', { id: text(resource['package_id']) })
    const facts = found(dataset, resource)
    const common = {
      ...facts,
      licenceUrl: webAddress(dataset['license_url']),
      publisher: text(record(dataset['organization'])['title']) || text(dataset['author']),
      page: `${url}/dataset/${encodeURIComponent(text(dataset['name']) || text(dataset['id']))}`,
      language: matchLanguage(text(dataset['language'])) ?? null,
    }
    if (resource['datastore_active'] !== true) {
      const file = fileOf(resource)
      const own = await fileFacts(reader, file.url, file.format)
      return { ...common, columns: own.columns, updatedAt: facts.updatedAt ?? own.updatedAt }
    }
    const store = await action(reader, url, 'datastore_search', { resource_id: id, limit: '200' })
    const sample = records(store['records'])
    const habits = habitsOf(matchLanguage(reader.language) ?? 'en', '')
    const columns = records(store['fields'])
      .filter((field) => text(field['id']) && field['id'] !== '_id')
      .map((field) => {
        const key = text(field['id'])
        const type =
          TYPES[text(field['type']).toLowerCase()] ??
          guessType(
            key,
            sample.map((row) => row[key]),
            habits,
          )
        return { key, label: text(record(field['info'])['label']) || key, type }
      })
    return { ...common, rows: whole(store['total']), columns }
  },
  async rows(reader, url, id, request) {
    const resource = await action(reader, url, 'resource_show', { id })
    if (resource['datastore_active'] !== true) {
      const file = fileOf(resource)
      return fileRows(reader, file.url, file.format, request)
    }
    const updatedAt = instant(resource['last_modified'])
    return rowsSince({ updatedAt }, request, async (offset) => {
      const store = await action(reader, url, 'datastore_search', {
        resource_id: id,
        limit: String(PAGE),
        offset: String(offset),
        sort: '_id asc',
      })
      const rows = records(store['records'])
      const total = whole(store['total'])
      return { rows, more: total === null ? rows.length === PAGE : offset + rows.length < total }
    })
  },
  credentials: (token) => ({ authorization: token }),
}

async function action(reader: PortalReader, url: string, name: string, parameters: Record<string, string>): Promise<Loose> {
  const answer = record(await reader.json(`${url}/api/3/action/${name}?${new URLSearchParams(parameters)}`))
  if (answer['success'] !== true) throw new PortalFault('portal-not-understood', `${name} did not succeed`)
  return record(answer['result'])
}

/** Resources of a package that are tables. */
const readable = (dataset: Loose): Loose[] =>
  records(dataset['resources']).filter(
    (one) => text(one['id']) && (one['datastore_active'] === true || formatOfResource(one) !== undefined),
  )

const formatOfResource = (resource: Loose) =>
  webAddress(resource['url']) ? formatOf(resource['format'], resource['mimetype'], resource['url']) : undefined

function fileOf(resource: Loose) {
  const url = webAddress(resource['url'])
  const format = formatOfResource(resource)
  if (!url || !format) throw new PortalFault('portal-not-understood', 'a resource that is no table')
  return { url, format }
}

function found(dataset: Loose, resource: Loose): FoundDataset {
  const [name, part] = [text(dataset['title']) || text(dataset['name']), text(resource['name'])]
  return {
    id: text(resource['id']),
    title: part && part !== name && list(dataset['resources']).length > 1 ? `${name}: ${part}` : name,
    description: text(resource['description']) || text(dataset['notes']),
    licence: text(dataset['license_title']) || text(dataset['license_id']),
    updatedAt: instant(resource['last_modified']) ?? instant(dataset['metadata_modified']),
    rows: null,
  }
}

/** A request that may fail because the portal is of another kind. */
export async function optional<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof PortalFault && (error.code === 'portal-missing' || error.code === 'portal-not-understood')) return undefined
    throw error
  }
}
