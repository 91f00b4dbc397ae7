import { instant, type Loose, record, records, text, whole } from '../loosely.ts'
import type { ColumnType, DatasetFacts } from '../opencities.schema.ts'
import { rowsSince } from './paging.server.ts'
import { PortalFault, type RowRequest, type SourceRow } from './portal.server.ts'
import type { PortalReader } from './reader.server.ts'

const MOST_AT_ONCE = 2000
const TYPES: Record<string, ColumnType> = {
  esriFieldTypeSmallInteger: 'number', esriFieldTypeInteger: 'number', esriFieldTypeBigInteger: 'number', esriFieldTypeSingle: 'number', esriFieldTypeDouble: 'number',
  esriFieldTypeOID: 'number', esriFieldTypeDate: 'moment', esriFieldTypeDateOnly: 'date', esriFieldTypeTimestampOffset: 'moment',
} // prettier-ignore

/** Anything of an ArcGIS server in JSON. It says most of its errors with status 200. */
export async function esri(reader: PortalReader, url: string, parameters: Record<string, string> = {}): Promise<Loose> {
  const answer = record(await reader.json(`${url}?${new URLSearchParams({ f: 'json', ...parameters })}`))
  const error = record(answer['error'])
  const code = whole(error['code'])
  if (code === 498 || code === 499 || code === 403) throw new PortalFault('portal-refused', text(error['message']))
  if (code === 404) throw new PortalFault('portal-missing', text(error['message']))
  if (code !== null) throw new PortalFault(code >= 500 ? 'portal-down' : 'portal-not-understood', text(error['message']))
  return answer
}

/** What a layer of a FeatureServer or MapServer says of itself. */
export async function layerFacts(reader: PortalReader, url: string): Promise<DatasetFacts> {
  const layer = await esri(reader, url)
  const fields = records(layer['fields']).filter((field) => text(field['name']) && field['type'] !== 'esriFieldTypeGeometry')
  if (fields.length === 0) throw new PortalFault('portal-not-understood', 'a layer without fields')
  return {
    id: url,
    title: text(layer['name']),
    description: text(layer['description']),
    licence: '',
    licenceUrl: null,
    publisher: text(layer['copyrightText']),
    page: url,
    language: null,
    updatedAt: instant(record(layer['editingInfo'])['dataLastEditDate']) ?? instant(record(layer['editingInfo'])['lastEditDate']),
    rows: null,
    columns: [
      ...fields.map((field) => ({
        key: text(field['name']),
        label: text(field['alias']) || text(field['name']),
        type: TYPES[text(field['type'])] ?? ('text' as const),
      })),
      ...(text(layer['geometryType']) ? [{ key: 'place', label: 'place', type: 'place' as const }] : []),
    ],
  }
}

/** Rows of a layer: by offset in the order of its own ids, and where it cannot page, by the ids that follow the last. */
export async function layerRows(reader: PortalReader, url: string, request: RowRequest) {
  const layer = await esri(reader, url)
  const { updatedAt } = await layerFacts(reader, url)
  const id = text(layer['objectIdField']) || text(records(layer['fields']).find((field) => field['type'] === 'esriFieldTypeOID')?.['name'])
  const paging = record(layer['advancedQueryCapabilities'])['supportsPagination'] === true
  const most = Math.min(whole(layer['maxRecordCount']) || MOST_AT_ONCE, MOST_AT_ONCE)
  const domains = codedValues(layer)
  let after: number | undefined
  // Without paging there is no way to go on where it broke off but from the beginning.
  const begin = paging ? request : { ...request, cursor: undefined }
  return rowsSince({ updatedAt }, begin, async (offset) => {
    const answer = await esri(reader, `${url}/query`, {
      where: paging || after === undefined ? '1=1' : `${id} > ${after}`,
      outFields: '*',
      returnGeometry: 'true',
      outSR: '4326',
      ...(id ? { orderByFields: id } : {}),
      ...(paging ? { resultOffset: String(offset), resultRecordCount: String(most) } : {}),
    })
    const features = records(answer['features'])
    const rows = features.map((feature) => row(feature, domains))
    const last = record(features.at(-1)?.['attributes'])[id]
    if (typeof last === 'number') after = last
    // Older servers leave the word out of pages: a full one may have another after it.
    const said = answer['exceededTransferLimit']
    const more = said === true || (said === undefined && rows.length >= most)
    if (more && !paging && !id)
      throw new PortalFault('portal-not-understood', 'more rows than the layer gives at once, and no ids to go on by')
    return { rows, more }
  })
}

type Domains = Map<string, Map<unknown, string>>

/** Codes that stand for words, by field. */
function codedValues(layer: Loose): Domains {
  const domains: Domains = new Map()
  for (const field of records(layer['fields'])) {
    const coded = records(record(field['domain'])['codedValues'])
    if (coded.length > 0) domains.set(text(field['name']), new Map(coded.map((one) => [one['code'], text(one['name'])])))
  }
  return domains
}

function row(feature: Loose, domains: Domains): SourceRow {
  const attributes = Object.entries(record(feature['attributes'])).map(([key, value]) => [key, domains.get(key)?.get(value) ?? value])
  return { ...Object.fromEntries(attributes), place: feature['geometry'] ?? null }
}
