import { matchLanguage } from '#app/lib/languages.ts'
import { habitsOf } from '../cells.ts'
import { list, type Loose, record, records, text, webAddress, whole } from '../loosely.ts'
import type { DatasetFacts } from '../opencities.schema.ts'
import { optional } from './ckan.server.ts'
import { featureRow } from './distribution.server.ts'
import { type Portal, PortalFault, type RowBatch } from './portal.server.ts'
import type { PortalReader } from './reader.server.ts'
import { sampledColumns } from './table-file.server.ts'

const PAGE = 1000
const MOST_PAGES = 20_000

/** OGC API Features: collections of GeoJSON, page after page by their `next` links. */
export const ogcPortal: Portal = {
  async detect(reader, address) {
    const base = address.replace(/[?#].*$/, '').replace(/\/collections(\/.*)?$|\/+$/g, '')
    const answer = record(await optional(() => reader.json(`${base}/collections?f=json`)))
    return Array.isArray(answer['collections']) ? { url: base, name: text(answer['title']) || new URL(base).hostname } : undefined
  },
  async search(reader, url, { words, page, size }) {
    const answer = record(await reader.json(`${url}/collections?f=json`))
    const matching = records(answer['collections'])
      .filter((one) => text(one['id']) && `${text(one['title'])} ${text(one['description'])}`.toLowerCase().includes(words.toLowerCase()))
      .map(found)
    return { datasets: matching.slice((page - 1) * size, page * size), total: matching.length }
  },
  async describe(reader, url, id): Promise<DatasetFacts> {
    const collection = record(await reader.json(`${url}/collections/${encodeURIComponent(id)}?f=json`))
    const first = record(await reader.json(`${url}/collections/${encodeURIComponent(id)}/items?f=json&limit=200`))
    const sample = async function* () {
      await Promise.resolve()
      yield* records(first['features']).map(featureRow)
    }
    return {
      ...found(collection),
      id,
      licenceUrl: webAddress(records(collection['links']).find((link) => link['rel'] === 'license')?.['href']),
      publisher: new URL(url).hostname,
      page: `${url}/collections/${encodeURIComponent(id)}`,
      language: null,
      rows: whole(first['numberMatched']),
      columns: await sampledColumns(sample(), habitsOf(matchLanguage(reader.language) ?? 'en', '')),
    }
  },
  rows: (reader, url, id, { cursor }) =>
    Promise.resolve({
      validators: {},
      batches: follow(reader, text(cursor?.['next']) || `${url}/collections/${encodeURIComponent(id)}/items?f=json&limit=${PAGE}`),
    }),
  credentials: (token) => ({ authorization: `Bearer ${token}` }),
}

async function* follow(reader: PortalReader, first: string): AsyncGenerator<RowBatch, void, undefined> {
  const seen = new Set<string>()
  let next: string | null = first
  while (next) {
    if (seen.has(next) || seen.size > MOST_PAGES) throw new PortalFault('portal-endless', `again ${next}`)
    seen.add(next)
    const page: Loose = record(await reader.json(next))
    if (!Array.isArray(page['features'])) throw new PortalFault('portal-not-understood', 'a page without features')
    const link: unknown = records(page['links']).find((one) => one['rel'] === 'next')?.['href']
    const following: string | null = typeof link === 'string' && URL.canParse(link, next) ? new URL(link, next).href : null
    const rows = records(page['features']).map(featureRow)
    if (rows.length > 0) yield { rows, cursor: { next: following ?? '' } }
    next = rows.length > 0 ? following : null
  }
}

const found = (collection: Loose) => ({
  id: text(collection['id']),
  title: text(collection['title']) || text(collection['id']),
  description: text(collection['description']),
  licence:
    text(collection['license']) ||
    text(
      record(
        list(collection['links'])
          .map(record)
          .find((link) => link['rel'] === 'license'),
      )['title'],
    ),
  updatedAt: null,
  rows: null,
})
