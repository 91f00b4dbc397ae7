import { toInstant, type LooseRecord, toRecord, toRecords, toText, toWholeNumber } from '../parse-loosely.ts'
import type { ColumnType, DatasetFacts } from '../opencities.schema.ts'
import { readRowsIfChanged } from './read-pages.server.ts'
import { type LayerQuery, createIdPager, createOffsetPager } from './arcgis-pages.server.ts'
import { requestEsri } from './arcgis-request.server.ts'
import { PortalFault, type RowRequest, type SourceRow } from './portal.server.ts'
import type { PortalReader } from './portal-reader.server.ts'

const MAX_PER_PAGE = 2000
const FIELD_TYPES: Record<string, ColumnType> = {
  esriFieldTypeSmallInteger: 'number', esriFieldTypeInteger: 'number', esriFieldTypeBigInteger: 'number', esriFieldTypeSingle: 'number', esriFieldTypeDouble: 'number',
  esriFieldTypeOID: 'number', esriFieldTypeDate: 'moment', esriFieldTypeDateOnly: 'date', esriFieldTypeTimestampOffset: 'moment',
} // prettier-ignore

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

/** A layer's rows: by offset, ordered by object id; if it cannot page, by ids. */
export async function readLayerRows(reader: PortalReader, url: string, request: RowRequest) {
  const layer = await requestEsri(reader, url)
  const { updatedAt } = await readLayerFacts(reader, url)
  const query: LayerQuery = {
    reader,
    url,
    idField:
      toText(layer['objectIdField']) || toText(toRecords(layer['fields']).find((field) => field['type'] === 'esriFieldTypeOID')?.['name']),
    most: Math.min(toWholeNumber(layer['maxRecordCount']) || MAX_PER_PAGE, MAX_PER_PAGE),
    sorts: layer['supportsAdvancedQueries'] !== false,
  }
  const canPage = toRecord(layer['advancedQueryCapabilities'])['supportsPagination'] === true
  const readPage = canPage ? createOffsetPager(query) : createIdPager(query)
  const domains = collectCodedValues(layer)
  // Without paging, an interrupted copy can only start again from the beginning.
  return readRowsIfChanged({ updatedAt }, canPage ? request : { ...request, cursor: undefined }, async (offset) => {
    const { features, more } = await readPage(offset)
    return { rows: features.map((feature) => toSourceRow(feature, domains)), more }
  })
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
