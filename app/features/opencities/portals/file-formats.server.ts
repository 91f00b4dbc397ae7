import { matchLanguage } from '#app/lib/languages.ts'
import type { OutgoingAnswer } from '#app/server/outgoing/send-outgoing.ts'
import { toSourceLocale } from '../parse-cells.ts'
import { toList, type LooseRecord, toRecord, toText } from '../parse-loosely.ts'
import type { DatasetFacts } from '../opencities.schema.ts'
import { readJsonElements } from './json-elements.server.ts'
import { PortalFault, type RowAnswer, type RowRequest, type SourceRow, UNCHANGED, toValidators } from './portal.server.ts'
import type { PortalReader } from './portal-reader.server.ts'
import { readCsvRows, batchRows, guessColumns } from './table-file.server.ts'
import { unpackGzip } from './unpack-gzip.server.ts'
import { readWorkbookRows } from './workbook-rows.server.ts'

const FORMATS = ['csv', 'xlsx', 'geojson', 'json', 'rss'] as const
export type FileFormat = (typeof FORMATS)[number]

const ACCEPT_HEADERS: Record<FileFormat, string> = {
  csv: 'text/csv, text/plain;q=0.8, */*;q=0.5',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, */*;q=0.5',
  geojson: 'application/geo+json, application/json;q=0.9, */*;q=0.5',
  json: 'application/json, */*;q=0.5',
  rss: 'application/rss+xml, application/atom+xml, text/xml;q=0.9, */*;q=0.5',
}

const ARCHIVES = /(^|[^a-z])(zip|x-zip-compressed|7z|rar|tgz)($|[^a-z])/
/** Ends of addresses whose files are no tables that we read, whatever the portal calls them. */
const NO_TABLE = /\.(zip|7z|rar|tgz|tar\.gz|pdf|docx?|odt|ods|xls|html?|sha\d+)$|\/(feature|map|image)server(\/\d+)?\/?$/
const TABLE = /\.(csv|tsv|xlsx|json|geojson)$/

/** True for addresses of files or services that are not tables, whatever their metadata says. */
export const isNoTable = (url: string): boolean => NO_TABLE.test(new URL(url).pathname.toLowerCase().replace(/\.gz$/, ''))

/**
 * The first tabular format found in the hints: media types, format names or addresses. Portals often name the format of what is inside an
 * archive.
 */
export function detectFormat(...given: unknown[]): FileFormat | undefined {
  const hints = given.map((one) => toText(one).toLowerCase())
  const paths = hints.flatMap((one) => (URL.canParse(one) ? [new URL(one).pathname.replace(/\.gz$/, '')] : []))
  if (paths.some((path) => NO_TABLE.test(path))) return undefined
  if (!paths.some((path) => TABLE.test(path)) && hints.some((one) => !URL.canParse(one) && ARCHIVES.test(one))) return undefined
  for (const hint of hints) {
    if (/geo\+?json|vnd\.geo/.test(hint)) return 'geojson'
    if (/csv|tab-separated|\.tsv(\?|$)/.test(hint)) return 'csv'
    if (/xlsx|spreadsheetml/.test(hint)) return 'xlsx'
    if (/(^|\/|\.)(rss|atom)|rss\+xml|atom\+xml|\.rss(\?|$)/.test(hint)) return 'rss'
    if (/(^|\/|\.)json(\?|;|$)/.test(hint)) return 'json'
  }
  return undefined
}

const rowReaders: Record<FileFormat, (answer: OutgoingAnswer) => AsyncGenerator<SourceRow, void, undefined>> = {
  csv: (answer) => readCsvRows(unpackGzip(answer.body), answer.headers['content-type']),
  xlsx: (answer) => readWorkbookRows(answer),
  geojson: (answer) => readFeatureRows(unpackGzip(answer.body)),
  json: (answer) => readObjectRows(answer),
  rss: (answer) => readFeedRows(answer),
}

export async function readFileRows(
  reader: PortalReader,
  url: string,
  format: FileFormat,
  request: RowRequest,
): Promise<RowAnswer | typeof UNCHANGED> {
  const answer = await reader.file(url, ACCEPT_HEADERS[format], request.validators)
  if (!answer) return UNCHANGED
  return { validators: toValidators(answer), batches: batchRows(rowReaders[format](answer), Number(request.cursor?.['row'] ?? 0)) }
}

/** What the file itself says about its columns and its age. */
export async function readFileFacts(
  reader: PortalReader,
  url: string,
  format: FileFormat,
): Promise<Pick<DatasetFacts, 'columns' | 'updatedAt'>> {
  const answer = await reader.file(url, ACCEPT_HEADERS[format])
  if (!answer) throw new PortalFault('portal-not-understood', 'unchanged since never')
  const modified = Date.parse(answer.headers['last-modified'] ?? '')
  const sourceLocale = toSourceLocale(matchLanguage(reader.language) ?? 'en', '')
  return {
    columns: await guessColumns(rowReaders[format](answer), sourceLocale),
    updatedAt: Number.isNaN(modified) ? null : new Date(modified).toISOString(),
  }
}

export const getAcceptHeader = (format: FileFormat): string => ACCEPT_HEADERS[format]
export { rowReaders as rowsOfFormat }

/** Features of a GeoJSON file, streamed one by one. */
export async function* readFeatureRows(body: AsyncIterable<Buffer>): AsyncGenerator<SourceRow, void, undefined> {
  for await (const feature of readJsonElements(body, 'features')) yield toFeatureRow(feature)
}

/** A GeoJSON feature as a row: its properties and its geometry. */
export const toFeatureRow = (feature: LooseRecord): SourceRow => ({
  ...flattenObject(toRecord(feature['properties'])),
  place: feature['geometry'] ?? null,
})

async function* readObjectRows(answer: OutgoingAnswer): AsyncGenerator<SourceRow, void, undefined> {
  for await (const object of readJsonElements(unpackGzip(answer.body)))
    yield object['type'] === 'Feature' ? toFeatureRow(object) : flattenObject(object)
}

/** Nested objects become columns of their own; lists of plain values become one text. */
function flattenObject(object: LooseRecord, prefix = ''): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(object)) {
    const key = prefix + name
    if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) row[key] = toList(value).map(toText).join(', ')
    else if (typeof value === 'object' && value !== null && !Array.isArray(value) && !prefix && !('coordinates' in value))
      Object.assign(row, flattenObject(toRecord(value), `${key}.`))
    else row[key] = value
  }
  return row
}

/** RSS items or Atom entries; OpenCities addresses are read this way too. */
async function* readFeedRows(answer: OutgoingAnswer): AsyncGenerator<SourceRow, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  let any = false
  for await (const chunk of answer.body) {
    rest += decoder.decode(chunk, { stream: true })
    any ||= /<(rss|rdf:RDF|feed)\b/.test(rest)
    const items = rest.match(/<(item|entry)\b[\s\S]*?<\/\1>/g) ?? []
    for (const item of items) yield parseFeedItem(item)
    const last = items.at(-1)
    if (last) rest = rest.slice(rest.lastIndexOf(last) + last.length)
    if (rest.length > 4_000_000) throw new PortalFault('portal-cell-too-large', 'an item of megabytes')
  }
  if (!any) throw new PortalFault('portal-not-understood', 'no feed')
}

function parseFeedItem(item: string): SourceRow {
  const readElement = (...names: string[]): string => {
    for (const name of names) {
      const found = new RegExp(`<${name}\\b[^>]*>([\\s\\S]*?)</${name}>`).exec(item)?.[1]
      // Twice: markup inside is escaped once more.
      if (found !== undefined) return toText(toText(found.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1')))
    }
    return ''
  }
  const point = readElement('georss:point').split(/\s+/)
  const place =
    point.length === 2 ? `${point[0]},${point[1]}` : readElement('geo:lat') ? `${readElement('geo:lat')},${readElement('geo:long')}` : ''
  const published = readElement('pubDate', 'published', 'updated', 'dc:date')
  const at = new Date(published)
  return {
    title: readElement('title'),
    link: readElement('link') || (/<link\b[^>]*href="([^"]*)"/.exec(item)?.[1] ?? ''),
    published: Number.isNaN(at.getTime()) ? published : at.toISOString(),
    description: readElement('description', 'summary', 'content'),
    ...(place ? { place } : {}),
  }
}
