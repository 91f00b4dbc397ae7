import { type LooseRecord, toRecord, toRecords, toText, toWholeNumber } from '../parse-loosely.ts'
import type { SourceRow } from './portal.server.ts'

/** One edition of Opendatasoft's interface: the same catalogue and records, under other names. */
export interface OpendatasoftEdition {
  /** Below the portal's own address. */
  path: string
  buildSearch: (query: { words: string; size: number; offset: number }) => string
  /** Datasets in the form of version 2.1, and how many there are; undefined if this is no answer of this edition. */
  parseSearch: (answer: LooseRecord) => { datasets: LooseRecord[]; total: number } | undefined
  buildDataset: (id: string) => string
  /** A dataset in the form of version 2.1. */
  parseDataset: (answer: LooseRecord) => LooseRecord
  buildRecords: (id: string, size: number, offset: number) => string
  parseRecords: (answer: LooseRecord) => SourceRow[]
  buildExport: (id: string) => string
  /** A record of an export as a row. */
  parseExported: (record: LooseRecord) => SourceRow
}

const writeQuery = (parameters: Record<string, string | number>) =>
  new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)])).toString()

const buildWhere = (words: string): Record<string, string> => (words ? { where: `search("${words.replace(/["\\]/g, ' ')}")` } : {})

/** Explore API 2.1. */
const EXPLORE_2_1: OpendatasoftEdition = {
  path: '/api/explore/v2.1/catalog',
  buildSearch: ({ words, size, offset }) => `/datasets?${writeQuery({ limit: size, offset, ...buildWhere(words) })}`,
  parseSearch: (answer) => toCounted(answer['total_count'], answer['results'], (one) => one),
  buildDataset: (id) => `/datasets/${id}`,
  parseDataset: (answer) => answer,
  buildRecords: (id, size, offset) => `/datasets/${id}/records?${writeQuery({ limit: size, offset })}`,
  parseRecords: (answer) => toRecords(answer['results']),
  buildExport: (id) => `/datasets/${id}/exports/json`,
  parseExported: (record) => record,
}

/** Explore API 2.0 wraps each dataset and each record into an object with its links. */
const EXPLORE_2_0: OpendatasoftEdition = {
  ...EXPLORE_2_1,
  path: '/api/v2/catalog',
  parseSearch: (answer) => toCounted(answer['total_count'], answer['datasets'], (one) => toRecord(one['dataset'])),
  parseDataset: (answer) => toRecord(answer['dataset']),
  parseRecords: (answer) => toRecords(answer['records']).map((one) => toRecord(toRecord(one['record'])['fields'])),
}

/** Search API 1.0: texts about a dataset stand in one level, and a point is a pair with the latitude first. */
const SEARCH_1_0: OpendatasoftEdition = {
  path: '/api',
  buildSearch: ({ words, size, offset }) => `/datasets/1.0/search/?${writeQuery({ rows: size, start: offset, q: words })}`,
  parseSearch: (answer) => toCounted(answer['nhits'], answer['datasets'], raiseDataset),
  buildDataset: (id) => `/datasets/1.0/${id}/`,
  parseDataset: raiseDataset,
  buildRecords: (id, size, offset) => `/records/1.0/search/?${writeQuery({ dataset: id, rows: size, start: offset })}`,
  parseRecords: (answer) => toRecords(answer['records']).map(raiseRecord),
  buildExport: (id) => `/records/1.0/download/?${writeQuery({ dataset: id, format: 'json' })}`,
  parseExported: raiseRecord,
}

/** In the order they are tried: the newest first. */
export const OPENDATASOFT_EDITIONS: readonly OpendatasoftEdition[] = [EXPLORE_2_1, EXPLORE_2_0, SEARCH_1_0]

/** The edition that a portal was found with. */
export const findEdition = (url: string): OpendatasoftEdition =>
  OPENDATASOFT_EDITIONS.find(({ path }) => new URL(url).pathname === path) ?? EXPLORE_2_1

function toCounted(count: unknown, list: unknown, convert: (one: LooseRecord) => LooseRecord) {
  const total = toWholeNumber(count)
  return total === null || !Array.isArray(list) ? undefined : { datasets: toRecords(list).map(convert), total }
}

function raiseDataset(answer: LooseRecord): LooseRecord {
  return { ...answer, dataset_id: answer['datasetid'], metas: { default: toRecord(answer['metas']) } }
}

function raiseRecord(record: LooseRecord): SourceRow {
  const fields = Object.entries(toRecord(record['fields']))
  return Object.fromEntries(
    fields.map(([name, value]) => [name, isLatitudeFirst(value) ? `${toText(value[0])},${toText(value[1])}` : value]),
  )
}

const isLatitudeFirst = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'number')
