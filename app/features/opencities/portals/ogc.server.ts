import { matchLanguage } from '#app/lib/languages.ts'
import { toSourceLocale } from '../parse-cells.ts'
import { toList, type LooseRecord, toRecord, toRecords, toText, toWebAddress, toWholeNumber } from '../parse-loosely.ts'
import type { DatasetFacts } from '../opencities.schema.ts'
import { tryRequest } from './ckan.server.ts'
import { toFeatureRow } from './file-formats.server.ts'
import { type Portal, PortalFault, type RowBatch } from './portal.server.ts'
import type { PortalReader } from './portal-reader.server.ts'
import { guessColumns } from './table-file.server.ts'

const PAGE_SIZE = 1000
const MAX_PAGES = 20_000

/** OGC API Features: GeoJSON collections, paged through their `next` links. */
export const ogcPortal: Portal = {
  async detect(reader, address) {
    const base = address.replace(/[?#].*$/, '').replace(/\/collections(\/.*)?$|\/+$/g, '')
    const answer = toRecord(await tryRequest(() => reader.json(`${base}/collections?f=json`)))
    return Array.isArray(answer['collections']) ? { url: base, name: toText(answer['title']) || new URL(base).hostname } : undefined
  },
  async search(reader, url, { words, page, size }) {
    const answer = toRecord(await reader.json(`${url}/collections?f=json`))
    const matching = toRecords(answer['collections'])
      .filter(
        (one) => toText(one['id']) && `${toText(one['title'])} ${toText(one['description'])}`.toLowerCase().includes(words.toLowerCase()),
      )
      .map(toFoundDataset)
    return { datasets: matching.slice((page - 1) * size, page * size), total: matching.length }
  },
  async describe(reader, url, id): Promise<DatasetFacts> {
    const collection = toRecord(await reader.json(`${url}/collections/${encodeURIComponent(id)}?f=json`))
    const first = toRecord(await reader.json(`${url}/collections/${encodeURIComponent(id)}/items?f=json&limit=200`))
    const readSample = async function* () {
      await Promise.resolve()
      yield* toRecords(first['features']).map(toFeatureRow)
    }
    return {
      ...toFoundDataset(collection),
      id,
      licenceUrl: toWebAddress(toRecords(collection['links']).find((link) => link['rel'] === 'license')?.['href']),
      publisher: new URL(url).hostname,
      page: `${url}/collections/${encodeURIComponent(id)}`,
      language: null,
      rows: toWholeNumber(first['numberMatched']),
      columns: await guessColumns(readSample(), toSourceLocale(matchLanguage(reader.language) ?? 'en', '')),
    }
  },
  rows: (reader, url, id, { cursor }) =>
    Promise.resolve({
      validators: {},
      batches: followPages(
        reader,
        toText(cursor?.['next']) || `${url}/collections/${encodeURIComponent(id)}/items?f=json&limit=${PAGE_SIZE}`,
      ),
    }),
  credentials: (token) => ({ authorization: `Bearer ${token}` }),
}

async function* followPages(reader: PortalReader, first: string): AsyncGenerator<RowBatch, void, undefined> {
  const seen = new Set<string>()
  let next: string | null = first
  while (next) {
    if (seen.has(next) || seen.size > MAX_PAGES) throw new PortalFault('portal-endless', `again ${next}`)
    seen.add(next)
    const page: LooseRecord = toRecord(await reader.json(next))
    if (!Array.isArray(page['features'])) throw new PortalFault('portal-not-understood', 'a page without features')
    const link: unknown = toRecords(page['links']).find((one) => one['rel'] === 'next')?.['href']
    const following: string | null = typeof link === 'string' && URL.canParse(link, next) ? new URL(link, next).href : null
    const rows = toRecords(page['features']).map(toFeatureRow)
    if (rows.length > 0) yield { rows, cursor: { next: following ?? '' } }
    next = rows.length > 0 ? following : null
  }
}

const toFoundDataset = (collection: LooseRecord) => ({
  id: toText(collection['id']),
  title: toText(collection['title']) || toText(collection['id']),
  description: toText(collection['description']),
  licence:
    toText(collection['license']) ||
    toText(
      toRecord(
        toList(collection['links'])
          .map(toRecord)
          .find((link) => link['rel'] === 'license'),
      )['title'],
    ),
  updatedAt: null,
  rows: null,
})
