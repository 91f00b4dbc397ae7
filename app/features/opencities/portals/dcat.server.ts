import { matchLanguage } from '#app/lib/languages.ts'
import { toInstant, type LooseRecord, toRecord, toRecords, toText, toWebAddress } from '../parse-loosely.ts'
import type { DatasetFacts, FoundDataset, FoundDatasets } from '../opencities.schema.ts'
import { tryRequest } from './ckan.server.ts'
import { readFileFacts, type FileFormat, isNoTable, readFileRows, detectFormat } from './file-formats.server.ts'
import { type Portal, PortalFault } from './portal.server.ts'
import type { PortalReader } from './portal-reader.server.ts'

interface CatalogueEntry extends FoundDataset {
  file: string
  format: FileFormat
  licenceUrl: string | null
  publisher: string
  page: string | null
  language: string
}

/** A DCAT catalogue: `data.json` of DCAT-US, or JSON-LD of DCAT-AP. Only lists datasets that have a tabular file, by their identifier. */
export const dcatPortal: Portal = {
  async detect(reader, address) {
    const tried = /\.(json|jsonld)(\?|$)/.test(address) ? [address] : [`${new URL(address).origin}/data.json`, address]
    for (const url of new Set(tried)) {
      const catalogue = await tryRequest(() => reader.json(url))
      if (catalogue !== undefined && isCatalogue(catalogue))
        return { url, name: findTitle(catalogue, reader.language) || new URL(url).hostname }
    }
    return undefined
  },
  async search(reader, url, { words, page, size }) {
    const wanted = words.toLowerCase()
    const { entries, leftOut } = await readCatalogue(reader, url)
    const all = entries.filter(({ title, description }) => `${title} ${description}`.toLowerCase().includes(wanted))
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
      leftOut,
    }
  },
  async describe(reader, url, id): Promise<DatasetFacts> {
    const { file, format, language, ...facts } = await requireEntry(reader, url, id)
    const own = await readFileFacts(reader, file, format)
    return { ...facts, columns: own.columns, updatedAt: facts.updatedAt ?? own.updatedAt, language: matchLanguage(language) ?? null }
  },
  async rows(reader, url, id, request) {
    const { file, format } = await requireEntry(reader, url, id)
    return readFileRows(reader, file, format, request)
  },
  credentials: (token) => ({ authorization: `Bearer ${token}` }),
}

async function requireEntry(reader: PortalReader, url: string, id: string): Promise<CatalogueEntry> {
  const found = (await readCatalogue(reader, url)).entries.find((one) => one.id === id)
  if (!found) throw new PortalFault('portal-missing', `no dataset ${id}`)
  return found
}

const NAMESPACES =
  /^(?:dcat|dct|dcterms|foaf|vcard|rdfs|schema|hydra):|^https?:\/\/(?:www\.w3\.org\/ns\/(?:dcat|hydra\/core)#|purl\.org\/dc\/terms\/|xmlns\.com\/foaf\/0\.1\/|www\.w3\.org\/2000\/01\/rdf-schema#)/

/** Strips namespaces from a node's keys: `dct:title` and `http://purl.org/dc/terms/title` both become `title`. */
const stripNamespaces = (node: LooseRecord): LooseRecord =>
  Object.fromEntries(Object.entries(node).map(([name, inner]) => [name.replace(NAMESPACES, ''), inner]))

/** A value in the wanted language, in any of the forms JSON-LD allows. */
function readValue(node: LooseRecord, name: string, language: string): unknown {
  const given = stripNamespaces(node)[name]
  const several = Array.isArray(given) ? (given as unknown[]) : [given]
  const own = several.find((one) => toText(toRecord(one)['@language']).toLowerCase().startsWith(language.slice(0, 2)))
  const first: unknown = own ?? several[0]
  if (typeof first !== 'object' || first === null) return first
  const object = first as LooseRecord
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

function listNodes(catalogue: unknown): LooseRecord[] {
  const root = toRecord(catalogue)
  const nodes = Array.isArray(catalogue) ? toRecords(catalogue) : Array.isArray(root['@graph']) ? toRecords(root['@graph']) : [root]
  return nodes.flatMap((node) => openNode(node))
}

/** Properties whose values hold datasets of their own: catalogues inside of a catalogue, series and services. */
const HOLDERS = ['catalog', 'datasetSeries', 'service']
const MAX_NESTING = 10

/** A node and, below it, whatever else it holds datasets in. */
function openNode(node: LooseRecord, depth = 0): LooseRecord[] {
  const plain = stripNamespaces(node)
  const nested = depth < MAX_NESTING ? HOLDERS.flatMap((name) => toRecords(plain[name])).filter((one) => !isReference(one)) : []
  return [node, ...nested.flatMap((one) => openNode(one, depth + 1))]
}

const hasType = (node: LooseRecord, type: string): boolean =>
  [node['@type'] ?? node['type']].flat().some((one) => typeof one === 'string' && one.replace(NAMESPACES, '') === type)

const isCatalogue = (catalogue: unknown): boolean =>
  Array.isArray(toRecord(catalogue)['dataset']) || listNodes(catalogue).some((node) => hasType(node, 'Catalog') || hasType(node, 'Dataset'))

/** The catalogue's own title, which may be one of many nodes. */
function findTitle(catalogue: unknown, language: string): string {
  const nodes = listNodes(catalogue)
  const node = nodes.find((one) => hasType(one, 'Catalog')) ?? (nodes.length === 1 ? nodes[0] : undefined)
  return node ? toText(readValue(node, 'title', language)) : ''
}

interface Catalogue {
  entries: CatalogueEntry[]
  leftOut: NonNullable<FoundDatasets['leftOut']>
}

const MAX_PAGES = 20

/** A catalogue with all of its pages, as Hydra links them, up to a limit. */
async function readCatalogue(reader: PortalReader, url: string): Promise<Catalogue> {
  const seen = new Set<string>()
  const datasets: { dataset: LooseRecord; resolveNode: (node: unknown) => LooseRecord }[] = []
  /** What the catalogue names on any page, also if that page does not describe it. */
  const named = new Set<string>()
  let page: string | undefined = url
  let total = 0
  while (page !== undefined && seen.size < MAX_PAGES) {
    seen.add(page)
    const catalogue = await reader.json(page)
    if (!isCatalogue(catalogue)) throw new PortalFault('portal-not-understood', 'no catalogue')
    const nodes = listNodes(catalogue)
    const resolveNode = createResolver(nodes)
    for (const dataset of listDatasets(nodes, resolveNode)) {
      if (!isReference(dataset)) datasets.push({ dataset, resolveNode })
      else if (/^[^_]/.test(toText(dataset['@id']))) named.add(toText(dataset['@id']))
    }
    total = Math.max(total, findTotal(nodes))
    const next = findNextPage(nodes, page)
    page = next === undefined || seen.has(next) ? undefined : next
  }
  const entries = datasets.flatMap(({ dataset, resolveNode }) => parseEntry(dataset, resolveNode, reader.language) ?? [])
  const described = new Set(datasets.map(({ dataset }) => toText(dataset['@id'])))
  const undescribed = [...named].filter((id) => !described.has(id)).length
  const beyond = page === undefined ? undescribed : total > datasets.length ? total - datasets.length : null
  return { entries, leftOut: { withoutTable: datasets.length - entries.length, beyond, of: 'catalogue' } }
}

/** Nodes refer to others of the same page by their ids. */
function createResolver(nodes: readonly LooseRecord[]) {
  const byId = new Map(nodes.flatMap((node) => (typeof node['@id'] === 'string' ? [[node['@id'], node] as const] : [])))
  return (node: unknown): LooseRecord => {
    const reference = typeof node === 'string' ? node : toText(toRecord(node)['@id'])
    return Object.keys(toRecord(node)).length > 1 ? toRecord(node) : (byId.get(reference) ?? toRecord(node))
  }
}

function listDatasets(nodes: readonly LooseRecord[], resolveNode: (node: unknown) => LooseRecord): LooseRecord[] {
  const inside = nodes.flatMap((node) => toRecords(stripNamespaces(node)['dataset']).map(resolveNode))
  const listed = new Set([...inside, ...nodes.filter((node) => hasType(node, 'Dataset'))])
  const known = new Set([...listed].map(readIdentifier))
  const found = nodes.flatMap((node) => {
    const { seriesMember, servesDataset } = stripNamespaces(node)
    return [...toRecords(seriesMember), ...toRecords(servesDataset)].map(resolveNode)
  })
  for (const dataset of found) {
    const id = readIdentifier(dataset)
    if (id && !isReference(dataset) && !known.has(id)) listed.add(dataset)
    known.add(id)
  }
  return [...listed]
}

const readIdentifier = (dataset: LooseRecord): string => toText(readValue(dataset, 'identifier', '')) || toText(dataset['@id'])

/** Catalogues with pages often name all datasets on every page, and describe those of the page. Blank nodes are named within a page only. */
const isReference = (dataset: LooseRecord): boolean => Object.keys(dataset).every((key) => key === '@id')

/** Nodes that say which page of the catalogue this is: of their own, or the view of another. */
const listPageNodes = (nodes: readonly LooseRecord[]): LooseRecord[] =>
  nodes.flatMap((node) => [node, ...toRecords([stripNamespaces(node)['view'] ?? []].flat())])

/** Hydra's `next` or, as older servers have it, `nextPage`; only on the same server, because the connector's token goes along. */
function findNextPage(nodes: readonly LooseRecord[], page: string): string | undefined {
  for (const node of listPageNodes(nodes)) {
    const link = toText(readValue(node, 'next', '')) || toText(readValue(node, 'nextPage', ''))
    const url = link === '' ? null : URL.parse(link, page)
    if (url && url.origin === new URL(page).origin) return url.href
  }
  return undefined
}

const findTotal = (nodes: readonly LooseRecord[]): number =>
  Math.max(0, ...listPageNodes(nodes).map((node) => Number(readValue(node, 'totalItems', '')) || 0))

function parseEntry(dataset: LooseRecord, whole: (node: unknown) => LooseRecord, language: string): CatalogueEntry | undefined {
  const readProperty = (name: string, node = dataset) => readValue(node, name, language)
  const distributions = [stripNamespaces(dataset)['distribution'] ?? []].flat().map(whole)
  const files = distributions.flatMap((one) => {
    const file = toWebAddress(readProperty('downloadURL', one)) ?? toWebAddress(readProperty('accessURL', one))
    const format = detectFormat(readProperty('mediaType', one), readProperty('format', one), readProperty('downloadURL', one))
    return file && format && !isNoTable(file) ? [{ file, format, licence: readProperty('license', one) }] : []
  })
  // A table is easier to read than a feed of the same data.
  const best = files.toSorted((a, b) => FORMAT_RANK[a.format] - FORMAT_RANK[b.format])[0]
  const id = readIdentifier(dataset)
  if (!best || !id) return undefined
  const licence = readProperty('license') ?? best.licence
  return {
    id,
    title: toText(readProperty('title')) || id,
    description: toText(readProperty('description')),
    licence: formatLicenceName(licence),
    licenceUrl: toWebAddress(licence),
    updatedAt: toInstant(readProperty('modified')) ?? toInstant(readProperty('issued')),
    rows: null,
    file: best.file,
    format: best.format,
    publisher: toText(readValue(whole(stripNamespaces(dataset)['publisher']), 'name', language)) || toText(readProperty('publisher')),
    page: toWebAddress(readProperty('landingPage')),
    language: toText(readProperty('language')).split('/').at(-1) ?? '',
  }
}

const FORMAT_RANK: Record<FileFormat, number> = { csv: 0, xlsx: 1, geojson: 2, json: 3, rss: 4 }

/** A licence is often just a URL. */
function formatLicenceName(licence: unknown): string {
  const address = toWebAddress(licence)
  return address
    ? (new URL(address).pathname.split('/').filter(Boolean).slice(-2).join(' ') || new URL(address).hostname).slice(0, 100)
    : toText(licence)
}
