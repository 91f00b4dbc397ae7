import { matchLanguage } from '#app/lib/languages.ts'
import { instant, type Loose, record, records, text, webAddress } from '../loosely.ts'
import type { DatasetFacts, FoundDataset } from '../opencities.schema.ts'
import { optional } from './ckan.server.ts'
import { fileFacts, type FileFormat, fileRows, formatOf } from './distribution.server.ts'
import { type Portal, PortalFault } from './portal.server.ts'
import type { PortalReader } from './reader.server.ts'

interface Entry extends FoundDataset {
  file: string
  format: FileFormat
  licenceUrl: string | null
  publisher: string
  page: string | null
  language: string
}

/**
 * A catalogue in DCAT: `data.json` of DCAT-US, or JSON-LD of DCAT-AP. Only datasets with a file that is a table are in it for us, each
 * under its identifier.
 */
export const dcatPortal: Portal = {
  async detect(reader, address) {
    const tried = /\.(json|jsonld)(\?|$)/.test(address) ? [address] : [`${new URL(address).origin}/data.json`, address]
    for (const url of new Set(tried)) {
      const catalogue = await optional(() => reader.json(url))
      if (catalogue !== undefined && isCatalogue(catalogue))
        return { url, name: text(value(record(catalogue), 'title', reader.language)) || new URL(url).hostname }
    }
    return undefined
  },
  async search(reader, url, { words, page, size }) {
    const wanted = words.toLowerCase()
    const all = (await readCatalogue(reader, url)).filter(({ title, description }) =>
      `${title} ${description}`.toLowerCase().includes(wanted),
    )
    const datasets = all.slice((page - 1) * size, page * size)
    return {
      datasets: datasets.map(({ id, title, description, licence, updatedAt, rows }) => ({
        id,
        title,
        description,
        licence,
        updatedAt,
        rows,
      })),
      total: all.length,
    }
  },
  async describe(reader, url, id): Promise<DatasetFacts> {
    const { file, format, language, ...facts } = await entry(reader, url, id)
    const own = await fileFacts(reader, file, format)
    return { ...facts, columns: own.columns, updatedAt: facts.updatedAt ?? own.updatedAt, language: matchLanguage(language) ?? null }
  },
  async rows(reader, url, id, request) {
    const { file, format } = await entry(reader, url, id)
    return fileRows(reader, file, format, request)
  },
  credentials: (token) => ({ authorization: `Bearer ${token}` }),
}

async function entry(reader: PortalReader, url: string, id: string): Promise<Entry> {
  const found = (await readCatalogue(reader, url)).find((one) => one.id === id)
  if (!found) throw new PortalFault('portal-missing', `no dataset ${id}`)
  return found
}

const NAMESPACES =
  /^(?:dcat|dct|dcterms|foaf|vcard|rdfs|schema):|^https?:\/\/(?:www\.w3\.org\/ns\/dcat#|purl\.org\/dc\/terms\/|xmlns\.com\/foaf\/0\.1\/|www\.w3\.org\/2000\/01\/rdf-schema#)/

/** The node with its names bare: `dct:title` and `http://purl.org/dc/terms/title` are both `title`. */
const bare = (node: Loose): Loose => Object.fromEntries(Object.entries(node).map(([name, inner]) => [name.replace(NAMESPACES, ''), inner]))

/** A value in the wanted language, of the many ways in which JSON-LD writes one. */
function value(node: Loose, name: string, language: string): unknown {
  const given = bare(node)[name]
  const several = Array.isArray(given) ? (given as unknown[]) : [given]
  const own = several.find((one) => text(record(one)['@language']).toLowerCase().startsWith(language.slice(0, 2)))
  const first: unknown = own ?? several[0]
  if (typeof first !== 'object' || first === null) return first
  const object = first as Loose
  return (
    object['@value'] ??
    object['@id'] ??
    object[language] ??
    object[language.slice(0, 2)] ??
    object['name'] ??
    object['foaf:name'] ??
    Object.values(object)[0]
  )
}

function nodesOf(catalogue: unknown): Loose[] {
  const root = record(catalogue)
  if (Array.isArray(catalogue)) return records(catalogue)
  return Array.isArray(root['@graph']) ? records(root['@graph']) : [root]
}

const isOf = (node: Loose, type: string): boolean =>
  [node['@type'] ?? node['type']].flat().some((one) => typeof one === 'string' && one.replace(NAMESPACES, '') === type)

const isCatalogue = (catalogue: unknown): boolean =>
  Array.isArray(record(catalogue)['dataset']) || nodesOf(catalogue).some((node) => isOf(node, 'Catalog') || isOf(node, 'Dataset'))

async function readCatalogue(reader: PortalReader, url: string): Promise<Entry[]> {
  const catalogue = await reader.json(url)
  if (!isCatalogue(catalogue)) throw new PortalFault('portal-not-understood', 'no catalogue')
  const nodes = nodesOf(catalogue)
  const byId = new Map(nodes.flatMap((node) => (typeof node['@id'] === 'string' ? [[node['@id'], node] as const] : [])))
  const whole = (node: unknown): Loose => {
    const reference = typeof node === 'string' ? node : text(record(node)['@id'])
    return Object.keys(record(node)).length > 1 ? record(node) : (byId.get(reference) ?? record(node))
  }
  const inside = nodes.flatMap((node) => records(bare(node)['dataset']).map(whole))
  const datasets = new Set([...inside, ...nodes.filter((node) => isOf(node, 'Dataset'))])
  return [...datasets].flatMap((dataset) => entryOf(dataset, whole, reader.language) ?? [])
}

function entryOf(dataset: Loose, whole: (node: unknown) => Loose, language: string): Entry | undefined {
  const own = (name: string, node = dataset) => value(node, name, language)
  const distributions = [bare(dataset)['distribution'] ?? []].flat().map(whole)
  const files = distributions.flatMap((one) => {
    const file = webAddress(own('downloadURL', one)) ?? webAddress(own('accessURL', one))
    const format = formatOf(own('mediaType', one), own('format', one), own('downloadURL', one))
    return file && format ? [{ file, format, licence: own('license', one) }] : []
  })
  // A table is easier to read than a feed of the same.
  const best = files.toSorted((a, b) => RANK[a.format] - RANK[b.format])[0]
  const id = text(own('identifier')) || text(dataset['@id'])
  if (!best || !id) return undefined
  const licence = own('license') ?? best.licence
  return {
    id,
    title: text(own('title')) || id,
    description: text(own('description')),
    licence: licenceName(licence),
    licenceUrl: webAddress(licence),
    updatedAt: instant(own('modified')) ?? instant(own('issued')),
    rows: null,
    file: best.file,
    format: best.format,
    publisher: text(value(whole(bare(dataset)['publisher']), 'name', language)) || text(own('publisher')),
    page: webAddress(own('landingPage')),
    language: text(own('language')).split('/').at(-1) ?? '',
  }
}

const RANK: Record<FileFormat, number> = { csv: 0, geojson: 1, json: 2, rss: 3 }

/** A licence is often nothing but its address. */
function licenceName(licence: unknown): string {
  const address = webAddress(licence)
  return address
    ? (new URL(address).pathname.split('/').filter(Boolean).slice(-2).join(' ') || new URL(address).hostname).slice(0, 100)
    : text(licence)
}
