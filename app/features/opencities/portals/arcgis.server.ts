import { toInstant, toList, toRecord, toRecords, toText, toWebAddress, toWholeNumber } from '../parse-loosely.ts'
import type { FoundDataset } from '../opencities.schema.ts'
import { requestEsri, readLayerFacts, readLayerRows } from './arcgis-layer.server.ts'
import { tryRequest } from './ckan.server.ts'
import { type Portal, PortalFault } from './portal.server.ts'
import type { PortalReader } from './portal-reader.server.ts'

const SERVICE_PATH = /\/(FeatureServer|MapServer)(\/\d+)?$/i

const trimAddress = (address: string) => address.replace(/[?#].*$/, '').replace(/\/+$/, '')

/** An ArcGIS FeatureServer or MapServer, or a folder of them. Each layer or table is a dataset. */
export const arcgisPortal: Portal = {
  async detect(reader, address) {
    if (!/\/rest\/services(\/|$)/i.test(trimAddress(address))) return undefined
    const url = trimAddress(address)
    const answer = await requestEsri(reader, url)
    const isKnown = Array.isArray(answer['layers']) || Array.isArray(answer['fields']) || Array.isArray(answer['services'])
    return isKnown
      ? {
          url,
          name:
            toText(answer['name']) || toText(answer['serviceDescription']) || url.split('/').at(SERVICE_PATH.test(url) ? -2 : -1) || url,
        }
      : undefined
  },
  async search(reader, url, { words, page, size }) {
    const all = await readLayers(reader, url)
    const wanted = words.toLowerCase()
    const matching = all.filter(({ title }) => title.toLowerCase().includes(wanted))
    return { datasets: matching.slice((page - 1) * size, page * size), total: matching.length }
  },
  describe: (reader, url, id) => readLayerFacts(reader, requireOwnLayer(url, id)),
  rows: (reader, url, id, request) => readLayerRows(reader, requireOwnLayer(url, id), request),
  credentials: (token) => ({ 'x-esri-authorization': `Bearer ${token}` }),
}

/** ArcGIS Hub: its catalogue uses OGC API Records; the rows come from the layers it links to. */
export const hubPortal: Portal = {
  async detect(reader, address) {
    const { origin, hostname } = new URL(address)
    const answer = toRecord(await tryRequest(() => reader.json(`${origin}/api/search/v1/collections/dataset/items?limit=1`)))
    return answer['type'] === 'FeatureCollection' && Array.isArray(answer['features']) ? { url: origin, name: hostname } : undefined
  },
  async search(reader, url, { words, page, size }) {
    const query = new URLSearchParams({ limit: String(size), startindex: String((page - 1) * size + 1) })
    if (words) query.set('q', words)
    const answer = toRecord(await reader.json(`${url}/api/search/v1/collections/dataset/items?${query}`))
    const datasets = toRecords(answer['features']).flatMap((feature) => {
      const facts = toRecord(feature['properties'])
      const layer = toWebAddress(facts['url'])
      if (!layer || !SERVICE_PATH.test(trimAddress(layer))) return []
      return [
        {
          id: /\/\d+$/.test(trimAddress(layer)) ? trimAddress(layer) : `${trimAddress(layer)}/0`,
          title: toText(facts['title']),
          description: toText(facts['snippet']) || toText(facts['description']),
          licence: toText(facts['license']) || toText(facts['licenseInfo']),
          updatedAt: toInstant(facts['modified']),
          rows: null,
        },
      ]
    })
    return { datasets, total: toWholeNumber(answer['numberMatched']) ?? datasets.length }
  },
  describe: (reader, _, id) => readLayerFacts(reader, requireLayer(id)),
  rows: (reader, _, id, request) => readLayerRows(reader, requireLayer(id), request),
  credentials: (token) => ({ 'x-esri-authorization': `Bearer ${token}` }),
}

async function readLayers(reader: PortalReader, url: string): Promise<FoundDataset[]> {
  const answer = await requestEsri(reader, url)
  const toFoundDataset = (id: string, title: string): FoundDataset => ({
    id,
    title,
    description: '',
    licence: '',
    updatedAt: null,
    rows: null,
  })
  if (Array.isArray(answer['fields'])) return [toFoundDataset(url, toText(answer['name']))]
  if (Array.isArray(answer['services'])) {
    const root = url.replace(/(\/rest\/services).*$/i, '$1')
    const services = toRecords(answer['services']).filter((one) => toText(one['type']) === 'FeatureServer')
    return services.map((one) =>
      toFoundDataset(`${root}/${toText(one['name'])}/FeatureServer/0`, toText(one['name']).split('/').at(-1) ?? ''),
    )
  }
  return [...toList(answer['layers']), ...toList(answer['tables'])]
    .map(toRecord)
    .filter((one) => one['subLayerIds'] === null || one['subLayerIds'] === undefined)
    .flatMap((one) => {
      const id = toWholeNumber(one['id'])
      return id === null ? [] : [toFoundDataset(`${url}/${id}`, toText(one['name']))]
    })
}

function requireLayer(id: string): string {
  if (!SERVICE_PATH.test(id) || !/\/\d+$/.test(id)) throw new PortalFault('portal-missing', `no layer ${id}`)
  return id
}

/** Refuses layers of other servers. */
function requireOwnLayer(url: string, id: string): string {
  if (!id.startsWith(url.replace(/(\/rest\/services).*$/i, '$1'))) throw new PortalFault('portal-missing', `no layer ${id}`)
  return requireLayer(id)
}
