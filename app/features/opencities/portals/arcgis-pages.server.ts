import { type LooseRecord, toList, toRecord, toRecords, toText, toWholeNumber } from '../parse-loosely.ts'
import { requestEsri } from './arcgis-request.server.ts'
import { PortalFault } from './portal.server.ts'
import type { PortalReader } from './portal-reader.server.ts'

interface FeaturePage {
  features: readonly LooseRecord[]
  more: boolean
}

export interface LayerQuery {
  reader: PortalReader
  url: string
  /** The field of object ids; empty if the layer has none. */
  idField: string
  /** Rows that the server gives at most, as it says. */
  most: number
  /** False for layers whose server refuses to sort. */
  sorts: boolean
}

/** Rows listed by id in one query. */
const MAX_IDS = 100

const queryFeatures = (query: LayerQuery, parameters: Record<string, string>): Promise<LooseRecord> =>
  requestEsri(query.reader, `${query.url}/query`, { outFields: '*', returnGeometry: 'true', outSR: '4326', ...parameters })

const buildOrder = ({ idField, sorts }: LayerQuery): Record<string, string> => (idField && sorts ? { orderByFields: idField } : {})

/** Pages by offset, of servers that can. */
export function createOffsetPager(query: LayerQuery): (offset: number) => Promise<FeaturePage> {
  const hasMore = createRestCounter(query)
  return async (offset) => {
    const page = { resultOffset: String(offset), resultRecordCount: String(query.most) }
    const answer = await queryFeatures(query, { where: '1=1', ...buildOrder(query), ...page })
    const features = toRecords(answer['features'])
    return { features, more: await hasMore(answer, offset + features.length) }
  }
}

/**
 * Pages of servers that cannot page: by the list of all object ids, which has no limit, in whatever order the rows come. Servers that cannot
 * list ids either, or list none, are asked for ids beyond the last one.
 */
export function createIdPager(query: LayerQuery): (offset: number) => Promise<FeaturePage> {
  let read: ((offset: number) => Promise<FeaturePage>) | undefined
  return async (offset) => {
    read ??= await chooseReader()
    return read(offset)
  }

  async function chooseReader() {
    const listed = query.idField ? await listIds(query) : undefined
    return listed && listed.ids.length > 0 ? createListReader({ ...query, idField: listed.field }, listed.ids) : createLastIdReader(query)
  }
}

/** All object ids, ascending; undefined from servers that answer with something else. */
async function listIds(query: LayerQuery): Promise<{ field: string; ids: number[] } | undefined> {
  const answer = await requestEsri(query.reader, `${query.url}/query`, { where: '1=1', returnIdsOnly: 'true' })
  if (!Array.isArray(answer['objectIds'])) return undefined
  const ids = new Set(toList(answer['objectIds']).filter((id) => typeof id === 'number'))
  return { field: toText(answer['objectIdFieldName']) || query.idField, ids: [...ids].toSorted((a, b) => a - b) }
}

function createListReader(query: LayerQuery, ids: readonly number[]): () => Promise<FeaturePage> {
  const left = [...ids]
  /** Ids that were asked for and did not come: the server gives fewer rows than it says, or they are gone. */
  let again: number[] = []
  let size = query.most
  let isAnyFound = false
  return async () => {
    while (left.length + again.length > 0) {
      const isAgain = again.length > 0
      const asked = isAgain ? again.splice(0, MAX_IDS) : left.splice(0, size)
      const features = isAgain ? await queryByIds(query, asked) : await queryRange(query, asked)
      const found = isAgain || features.length > 0 ? pickAskedRows(query, features, asked) : { features: [], missing: asked }
      if (isAgain && found.features.length === 0) continue
      again.unshift(...found.missing)
      if (!isAgain && found.missing.length > 0) size = Math.max(MAX_IDS, found.features.length)
      isAnyFound ||= found.features.length > 0
      if (found.features.length > 0) return { features: found.features, more: left.length + again.length > 0 }
    }
    if (ids.length > 0 && !isAnyFound) throw new PortalFault('portal-not-understood', `${ids.length} ids, and no rows that have them`)
    return { features: [], more: false }
  }
}

const queryByIds = async (query: LayerQuery, ids: readonly number[]): Promise<LooseRecord[]> =>
  toRecords((await queryFeatures(query, { objectIds: ids.join(',') }))['features'])

async function queryRange(query: LayerQuery, ids: readonly number[]): Promise<LooseRecord[]> {
  const where = `${query.idField} >= ${ids[0]} AND ${query.idField} <= ${ids.at(-1)}`
  return toRecords((await queryFeatures(query, { where, ...buildOrder(query) }))['features'])
}

/** The rows with the ids that were asked for, each once, and the ids that are missing among them. */
function pickAskedRows({ idField }: LayerQuery, features: readonly LooseRecord[], asked: readonly number[]) {
  const ids = features.map((feature) => readId(feature, idField))
  // Some layers list ids that their rows do not show: as many rows as ids are all of them.
  if (features.length === asked.length && ids.every((id) => id === undefined)) return { features, missing: [] }
  if (ids.includes(undefined)) throw new PortalFault('portal-not-understood', `rows without ${idField}`)
  const missing = new Set(asked)
  const picked = features.filter((_, index) => missing.delete(Number(ids[index])))
  return { features: picked, missing: [...missing] }
}

/** Asks for ids beyond the last one, as long as the rows come in their order; from then on, for windows of ids. */
function createLastIdReader(query: LayerQuery): (offset: number) => Promise<FeaturePage> {
  const hasMore = createRestCounter(query)
  let after: number | undefined
  let windows: AsyncGenerator<LooseRecord[], void, undefined> | undefined
  const readWindow = async (): Promise<FeaturePage> => {
    const next = await windows?.next()
    return next && !next.done ? { features: next.value, more: true } : { features: [], more: false }
  }
  return async (offset) => {
    if (windows) return readWindow()
    const where = after === undefined ? '1=1' : `${query.idField} > ${after}`
    const answer = await queryFeatures(query, { where, ...buildOrder(query) })
    const features = toRecords(answer['features'])
    if (!(await hasMore(answer, offset + features.length))) return { features, more: false }
    const ids = requireIds(query, features)
    if (ids.some((id, index) => index > 0 && id <= Number(ids[index - 1]))) {
      windows = readWindows(query, { ids, after })
      return readWindow()
    }
    after = ids.at(-1)
    return { features, more: true }
  }
}

/**
 * All rows of a server that gives its rows in no order: windows of ids, halved until one gives fewer rows than the server gives at once.
 * @param first the ids of a full page, all of them beyond `after`
 */
async function* readWindows(
  query: LayerQuery,
  first: { ids: readonly number[]; after: number | undefined },
): AsyncGenerator<LooseRecord[], void, undefined> {
  const { idField } = query
  const most = first.ids.length
  const readWhere = async (where: string) => toRecords((await queryFeatures(query, { where }))['features'])
  const findEdge = async (sign: '<' | '>', start: number): Promise<number> => {
    for (let edge = start; ;) {
      const ids = requireIds(query, await readWhere(`${idField} ${sign} ${edge}`))
      if (ids.length === 0) return edge
      if (ids.some((id) => (sign === '<' ? id >= edge : id <= edge)))
        throw new PortalFault('portal-endless', `${idField} ${sign} ${edge} is not heeded`)
      edge = sign === '<' ? Math.min(...ids) : Math.max(...ids)
    }
  }
  const below = first.after ?? (await findEdge('<', Math.min(...first.ids))) - 1
  const windows: [below: number, last: number][] = [[below, await findEdge('>', Math.max(...first.ids))]]
  for (let next = windows.pop(); next; next = windows.pop()) {
    const [start, end] = next
    const rows = await readWhere(`${idField} > ${start} AND ${idField} <= ${end}`)
    if (rows.length < most || end - start <= 1) {
      if (rows.length > 0) yield rows
      continue
    }
    const middle = start + Math.floor((end - start) / 2)
    windows.push([middle, end], [start, middle])
  }
}

function requireIds({ idField }: LayerQuery, features: readonly LooseRecord[]): number[] {
  return features.map((feature) => {
    const id = readId(feature, idField)
    if (id === undefined) throw new PortalFault('portal-not-understood', 'more rows than the layer gives at once, and no ids to go on by')
    return id
  })
}

function readId(feature: LooseRecord, idField: string): number | undefined {
  const id = toRecord(feature['attributes'])[idField]
  return typeof id === 'number' ? id : undefined
}

/**
 * Tells whether rows are left after a page. Older servers omit `exceededTransferLimit`, some give less than they claim, and some answer a
 * count with rows: then only an empty page is the last.
 */
function createRestCounter({ reader, url, idField, most }: LayerQuery): (answer: LooseRecord, read: number) => Promise<boolean> {
  let total: number | undefined
  return async (answer, read) => {
    const rows = toRecords(answer['features']).length
    const said = answer['exceededTransferLimit']
    if (typeof said === 'boolean') return said
    if (rows === 0) return false
    if (rows >= most) return true
    total ??= toWholeNumber((await requestEsri(reader, `${url}/query`, { where: '1=1', returnCountOnly: 'true' }))['count']) ?? undefined
    return total === undefined ? idField !== '' : read < total
  }
}
