import { toInstant, toRecord, toRecords, toText, toWebAddress, toWholeNumber } from '../parse-loosely.ts'
import { readLayerFacts, readLayerRows } from './arcgis-layer.server.ts'
import { requestEsri } from './arcgis-request.server.ts'
import { listLayers } from './arcgis-services.server.ts'
import { tryRequest } from './ckan.server.ts'
import { type Portal, PortalFault } from './portal.server.ts'

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
    const { datasets: all, ...leftOut } = await listLayers(reader, url)
    const wanted = words.toLowerCase()
    const matching = all.filter(({ title }) => title.toLowerCase().includes(wanted))
    return { datasets: matching.slice((page - 1) * size, page * size), total: matching.length, leftOut: { ...leftOut, of: 'catalogue' } }
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
    const features = toRecords(answer['features'])
    const datasets = features.flatMap((feature) => {
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
    const leftOut = { withoutTable: features.length - datasets.length, beyond: 0, of: 'page' as const }
    return { datasets, total: toWholeNumber(answer['numberMatched']) ?? datasets.length, leftOut }
  },
  describe: (reader, _, id) => readLayerFacts(reader, requireLayer(id)),
  rows: (reader, _, id, request) => readLayerRows(reader, requireLayer(id), request),
  credentials: (token) => ({ 'x-esri-authorization': `Bearer ${token}` }),
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
