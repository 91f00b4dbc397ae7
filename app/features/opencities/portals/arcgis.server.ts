import { instant, list, record, records, text, webAddress, whole } from '../loosely.ts'
import type { FoundDataset } from '../opencities.schema.ts'
import { esri, layerFacts, layerRows } from './arcgis-layer.server.ts'
import { optional } from './ckan.server.ts'
import { type Portal, PortalFault } from './portal.server.ts'
import type { PortalReader } from './reader.server.ts'

const SERVICE = /\/(FeatureServer|MapServer)(\/\d+)?$/i

const plain = (address: string) => address.replace(/[?#].*$/, '').replace(/\/+$/, '')

/** A FeatureServer or MapServer of ArcGIS, or a folder of them. A dataset is one of its layers or tables. */
export const arcgisPortal: Portal = {
  async detect(reader, address) {
    if (!/\/rest\/services(\/|$)/i.test(plain(address))) return undefined
    const url = plain(address)
    const answer = await esri(reader, url)
    const isKnown = Array.isArray(answer['layers']) || Array.isArray(answer['fields']) || Array.isArray(answer['services'])
    return isKnown
      ? { url, name: text(answer['name']) || text(answer['serviceDescription']) || url.split('/').at(SERVICE.test(url) ? -2 : -1) || url }
      : undefined
  },
  async search(reader, url, { words, page, size }) {
    const all = await layersOf(reader, url)
    const wanted = words.toLowerCase()
    const matching = all.filter(({ title }) => title.toLowerCase().includes(wanted))
    return { datasets: matching.slice((page - 1) * size, page * size), total: matching.length }
  },
  describe: (reader, url, id) => layerFacts(reader, within(url, id)),
  rows: (reader, url, id, request) => layerRows(reader, within(url, id), request),
  credentials: (token) => ({ 'x-esri-authorization': `Bearer ${token}` }),
}

/** ArcGIS Hub: its catalogue speaks OGC API Records; the rows come from the layers it leads to. */
export const hubPortal: Portal = {
  async detect(reader, address) {
    const { origin, hostname } = new URL(address)
    const answer = record(await optional(() => reader.json(`${origin}/api/search/v1/collections/dataset/items?limit=1`)))
    return answer['type'] === 'FeatureCollection' && Array.isArray(answer['features']) ? { url: origin, name: hostname } : undefined
  },
  async search(reader, url, { words, page, size }) {
    const query = new URLSearchParams({ limit: String(size), startindex: String((page - 1) * size + 1) })
    if (words) query.set('q', words)
    const answer = record(await reader.json(`${url}/api/search/v1/collections/dataset/items?${query}`))
    const datasets = records(answer['features']).flatMap((feature) => {
      const facts = record(feature['properties'])
      const layer = webAddress(facts['url'])
      if (!layer || !SERVICE.test(plain(layer))) return []
      return [
        {
          id: /\/\d+$/.test(plain(layer)) ? plain(layer) : `${plain(layer)}/0`,
          title: text(facts['title']),
          description: text(facts['snippet']) || text(facts['description']),
          licence: text(facts['license']) || text(facts['licenseInfo']),
          updatedAt: instant(facts['modified']),
          rows: null,
        },
      ]
    })
    return { datasets, total: whole(answer['numberMatched']) ?? datasets.length }
  },
  describe: (reader, _, id) => layerFacts(reader, layer(id)),
  rows: (reader, _, id, request) => layerRows(reader, layer(id), request),
  credentials: (token) => ({ 'x-esri-authorization': `Bearer ${token}` }),
}

async function layersOf(reader: PortalReader, url: string): Promise<FoundDataset[]> {
  const answer = await esri(reader, url)
  const found = (id: string, title: string): FoundDataset => ({ id, title, description: '', licence: '', updatedAt: null, rows: null })
  if (Array.isArray(answer['fields'])) return [found(url, text(answer['name']))]
  if (Array.isArray(answer['services'])) {
    const root = url.replace(/(\/rest\/services).*$/i, '$1')
    const services = records(answer['services']).filter((one) => text(one['type']) === 'FeatureServer')
    return services.map((one) => found(`${root}/${text(one['name'])}/FeatureServer/0`, text(one['name']).split('/').at(-1) ?? ''))
  }
  return [...list(answer['layers']), ...list(answer['tables'])]
    .map(record)
    .filter((one) => one['subLayerIds'] === null || one['subLayerIds'] === undefined)
    .flatMap((one) => {
      const id = whole(one['id'])
      return id === null ? [] : [found(`${url}/${id}`, text(one['name']))]
    })
}

function layer(id: string): string {
  if (!SERVICE.test(id) || !/\/\d+$/.test(id)) throw new PortalFault('portal-missing', `no layer ${id}`)
  return id
}

/** A layer of this server and of no other. */
function within(url: string, id: string): string {
  if (!id.startsWith(url.replace(/(\/rest\/services).*$/i, '$1'))) throw new PortalFault('portal-missing', `no layer ${id}`)
  return layer(id)
}
