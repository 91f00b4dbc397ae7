import { toInstant, type LooseRecord, toRecord, toRecords, toText, toWholeNumber } from '../parse-loosely.ts'
import type { ColumnType, DatasetFacts } from '../opencities.schema.ts'
import { readRowsIfChanged } from './read-pages.server.ts'
import { PortalFault, type RowRequest, type SourceRow } from './portal.server.ts'
import type { PortalReader } from './portal-reader.server.ts'

const MAX_PER_PAGE = 2000
const FIELD_TYPES: Record<string, ColumnType> = {
  esriFieldTypeSmallInteger: 'number', esriFieldTypeInteger: 'number', esriFieldTypeBigInteger: 'number', esriFieldTypeSingle: 'number', esriFieldTypeDouble: 'number',
  esriFieldTypeOID: 'number', esriFieldTypeDate: 'moment', esriFieldTypeDateOnly: 'date', esriFieldTypeTimestampOffset: 'moment',
} // prettier-ignore

/** Requests JSON from an ArcGIS server, which reports most of its errors with status 200. */
export async function requestEsri(reader: PortalReader, url: string, parameters: Record<string, string> = {}): Promise<LooseRecord> {
  const answer = toRecord(await reader.json(`${url}?${new URLSearchParams({ f: 'json', ...parameters })}`))
  const error = toRecord(answer['error'])
  const code = toWholeNumber(error['code'])
  if (code === 498 || code === 499 || code === 403) throw new PortalFault('portal-refused', toText(error['message']))
  if (code === 404) throw new PortalFault('portal-missing', toText(error['message']))
  if (code !== null) throw new PortalFault(code >= 500 ? 'portal-down' : 'portal-not-understood', toText(error['message']))
  return answer
}

/** Metadata of a FeatureServer or MapServer layer. */
export async function readLayerFacts(reader: PortalReader, url: string): Promise<DatasetFacts> {
  const layer = await requestEsri(reader, url)
  const fields = toRecords(layer['fields']).filter((field) => toText(field['name']) && field['type'] !== 'esriFieldTypeGeometry')
  if (fields.length === 0) throw new PortalFault('portal-not-understood', 'a layer without fields')
  return {
    id: url,
    title: toText(layer['name']),
    description: toText(layer['description']),
    licence: '',
    licenceUrl: null,
    publisher: toText(layer['copyrightText']),
    page: url,
    language: null,
    updatedAt: toInstant(toRecord(layer['editingInfo'])['dataLastEditDate']) ?? toInstant(toRecord(layer['editingInfo'])['lastEditDate']),
    rows: null,
    columns: [
      ...fields.map((field) => ({
        key: toText(field['name']),
        label: toText(field['alias']) || toText(field['name']),
        type: FIELD_TYPES[toText(field['type'])] ?? ('text' as const),
      })),
      ...(toText(layer['geometryType']) ? [{ key: 'place', label: 'place', type: 'place' as const }] : []),
    ],
  }
}

/** A layer's rows: by offset, ordered by object id; if it cannot page, by ids greater than the last one. */
export async function readLayerRows(reader: PortalReader, url: string, request: RowRequest) {
  const layer = await requestEsri(reader, url)
  const { updatedAt } = await readLayerFacts(reader, url)
  const id =
    toText(layer['objectIdField']) || toText(toRecords(layer['fields']).find((field) => field['type'] === 'esriFieldTypeOID')?.['name'])
  const paging = toRecord(layer['advancedQueryCapabilities'])['supportsPagination'] === true
  const most = Math.min(toWholeNumber(layer['maxRecordCount']) || MAX_PER_PAGE, MAX_PER_PAGE)
  const domains = collectCodedValues(layer)
  let after: number | undefined
  let total: number | undefined
  // Without paging, an interrupted copy can only start again from the beginning.
  const begin = paging ? request : { ...request, cursor: undefined }
  return readRowsIfChanged({ updatedAt }, begin, async (offset) => {
    const answer = await requestEsri(reader, `${url}/query`, {
      where: paging || after === undefined ? '1=1' : `${id} > ${after}`,
      outFields: '*',
      returnGeometry: 'true',
      outSR: '4326',
      ...(id ? { orderByFields: id } : {}),
      ...(paging ? { resultOffset: String(offset), resultRecordCount: String(most) } : {}),
    })
    const features = toRecords(answer['features'])
    const rows = features.map((feature) => toSourceRow(feature, domains))
    const last = toRecord(features.at(-1)?.['attributes'])[id]
    if (typeof last === 'number') after = last
    // Older servers omit this flag, and some give less than they claim: only their count tells whether a short page is the last.
    const said = answer['exceededTransferLimit']
    total ??= said === undefined && rows.length > 0 && rows.length < most ? await countRows(reader, url) : undefined
    const more = said === true || (said === undefined && (total === undefined ? rows.length >= most : offset + rows.length < total))
    if (more && !paging && !id)
      throw new PortalFault('portal-not-understood', 'more rows than the layer gives at once, and no ids to go on by')
    return { rows, more }
  })
}

/** The number of rows in a layer; undefined if the server does not say. */
async function countRows(reader: PortalReader, url: string): Promise<number | undefined> {
  const answer = await requestEsri(reader, `${url}/query`, { where: '1=1', returnCountOnly: 'true' })
  return toWholeNumber(answer['count']) ?? undefined
}

type Domains = Map<string, Map<unknown, string>>

/** Coded values and their labels, by field. */
function collectCodedValues(layer: LooseRecord): Domains {
  const domains: Domains = new Map()
  for (const field of toRecords(layer['fields'])) {
    const coded = toRecords(toRecord(field['domain'])['codedValues'])
    if (coded.length > 0) domains.set(toText(field['name']), new Map(coded.map((one) => [one['code'], toText(one['name'])])))
  }
  return domains
}

function toSourceRow(feature: LooseRecord, domains: Domains): SourceRow {
  const attributes = Object.entries(toRecord(feature['attributes'])).map(([key, value]) => [key, domains.get(key)?.get(value) ?? value])
  return { ...Object.fromEntries(attributes), place: feature['geometry'] ?? null }
}
