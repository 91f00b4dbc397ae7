import type { FoundDataset } from '../opencities.schema.ts'
import { type LooseRecord, toList, toRecord, toRecords, toText, toWholeNumber } from '../parse-loosely.ts'
import { requestEsri } from './arcgis-request.server.ts'
import { PortalFault } from './portal.server.ts'
import type { PortalReader } from './portal-reader.server.ts'

/** Services of a folder that are opened to list their layers. */
const MAX_SERVICES = 60
const AT_ONCE = 6

/** What a server lists at an address. */
export interface ListedLayers {
  datasets: FoundDataset[]
  /** Layers and services that hold no rows: pictures, geocoders, or maps that may not be queried. */
  withoutTable: number
  /** Services and folders that the server does not let us see. */
  refused: number
  /** Services beyond the most that are opened. */
  beyond: number
}

interface Service {
  name: string
  url: string
}

/** The layers and tables of one service, or of all services of a folder and of the folders in it. */
export async function listLayers(reader: PortalReader, url: string): Promise<ListedLayers> {
  const answer = await requestEsri(reader, url)
  if (Array.isArray(answer['fields'])) return { ...NOTHING, datasets: [toFoundDataset(url, toText(answer['name']))] }
  if (!Array.isArray(answer['services'])) return readService(url, answer, '')
  const root = url.replace(/(\/rest\/services).*$/i, '$1')
  const folders = await openAll(
    toList(answer['folders']).map((name) => `${root}/${toText(name)}`),
    (folder) => requestEsri(reader, folder),
  )
  const listed = [answer, ...folders.opened].flatMap((folder) => toRecords(folder['services']))
  const services = findServices(listed, root)
  const opened = await openAll(services.slice(0, MAX_SERVICES), async (service) =>
    readService(service.url, await requestEsri(reader, service.url), service.name),
  )
  const named = new Set(listed.map((one) => toText(one['name'])))
  return {
    datasets: opened.opened.flatMap(({ datasets }) => datasets),
    withoutTable: named.size - services.length + opened.opened.reduce((sum, each) => sum + each.withoutTable, 0),
    refused: folders.refused + opened.refused,
    beyond: Math.max(0, services.length - MAX_SERVICES),
  }
}

const NOTHING: ListedLayers = { datasets: [], withoutTable: 0, refused: 0, beyond: 0 }

/** A service is often offered as features and as a map: the features are read then. */
function findServices(listed: readonly LooseRecord[], root: string): Service[] {
  const byName = Map.groupBy(listed, (one) => toText(one['name']))
  return [...byName].flatMap(([name, forms]) => {
    const type = ['FeatureServer', 'MapServer'].find((wanted) => forms.some((one) => toText(one['type']) === wanted))
    return name && type ? [{ name: name.split('/').at(-1) ?? name, url: `${root}/${name}/${type}` }] : []
  })
}

function readService(url: string, answer: LooseRecord, service: string): ListedLayers {
  const layers = [...toList(answer['layers']), ...toList(answer['tables'])].map(toRecord)
  // A group of layers holds none of its own.
  const single = layers.filter((one) => toList(one['subLayerIds']).length === 0 && toText(one['type']) !== 'Group Layer')
  const capabilities = toText(answer['capabilities'])
  const mayQuery = capabilities === '' || /\bquery\b/i.test(capabilities)
  const tables = mayQuery ? single.filter((one) => !/raster|mosaic|image/i.test(toText(one['type']))) : []
  const datasets = tables.flatMap((one) => {
    const id = toWholeNumber(one['id'])
    const name = toText(one['name'])
    return id === null ? [] : [toFoundDataset(`${url}/${id}`, service && name !== service ? `${service}: ${name}` : name)]
  })
  return { ...NOTHING, datasets, withoutTable: single.length - datasets.length }
}

const toFoundDataset = (id: string, title: string): FoundDataset => ({
  id,
  title,
  description: '',
  licence: '',
  updatedAt: null,
  rows: null,
})

/** Opens a few at a time, and counts those that are refused or gone. */
async function openAll<From, To>(list: readonly From[], open: (one: From) => Promise<To>): Promise<{ opened: To[]; refused: number }> {
  const opened: To[] = []
  for (let at = 0; at < list.length; at += AT_ONCE) {
    const some = await Promise.all(list.slice(at, at + AT_ONCE).map((one) => openUnlessRefused(() => open(one))))
    opened.push(...some.filter((one) => one !== undefined))
  }
  return { opened, refused: list.length - opened.length }
}

async function openUnlessRefused<To>(open: () => Promise<To>): Promise<To | undefined> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof PortalFault && (error.code === 'portal-refused' || error.code === 'portal-missing')) return undefined
    throw error
  }
}
