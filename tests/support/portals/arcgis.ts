import { sendNotFound, type PortalServer, sendJson, servePortal } from './serve.ts'

const SERVICE = '/server/rest/services/Roads/FeatureServer'

/**
 * An ArcGIS server behind a Hub. It returns only a few features at a time and says so, stores words as codes and times as milliseconds, and
 * reports errors with status 200.
 */
export function serveArcgis(rows: number, options: { paging: boolean }): Promise<PortalServer> {
  const most = 50
  const layer = {
    id: 0,
    name: 'Potholes',
    geometryType: 'esriGeometryPoint',
    objectIdField: 'OBJECTID',
    maxRecordCount: most,
    advancedQueryCapabilities: { supportsPagination: options.paging },
    editingInfo: { lastEditDate: 1_790_000_000_000 },
    copyrightText: 'Public works',
    fields: [
      { name: 'OBJECTID', type: 'esriFieldTypeOID', alias: 'OBJECTID' },
      { name: 'STATE', type: 'esriFieldTypeSmallInteger', alias: 'State', domain: { type: 'codedValue', codedValues: [{ name: 'Open', code: 1 }, { name: 'Mended', code: 2 }] } },
      { name: 'SEEN', type: 'esriFieldTypeDate', alias: 'Seen on' },
    ],
  } // prettier-ignore
  const feature = (id: number) => ({
    attributes: { OBJECTID: id, STATE: (id % 2) + 1, SEEN: 1_780_000_000_000 },
    geometry: { x: -75.7, y: 45.4 + id / 1e4 },
  })
  return servePortal((url, response, request) => {
    const origin = `http://${request.headers.host}`
    if (url.pathname === SERVICE)
      return sendJson(response, { serviceDescription: '', layers: [{ id: 0, name: 'Potholes', subLayerIds: null }], tables: [] })
    if (url.pathname === `${SERVICE}/0`) return sendJson(response, layer)
    if (url.pathname === `${SERVICE}/7`) return sendJson(response, { error: { code: 499, message: 'Token Required', details: [] } })
    if (url.pathname === `${SERVICE}/0/query`) {
      const after = Number(/OBJECTID > (\d+)/.exec(url.searchParams.get('where') ?? '')?.[1] ?? 0)
      const offset = options.paging ? Number(url.searchParams.get('resultOffset') ?? 0) : after
      const count = Math.max(0, Math.min(most, rows - offset))
      return sendJson(response, {
        features: Array.from({ length: count }, (_, index) => feature(offset + index + 1)),
        ...(offset + count < rows ? { exceededTransferLimit: true } : {}),
      })
    }
    if (url.pathname === '/api/search/v1/collections/dataset/items') {
      const properties = {
        title: 'Potholes',
        snippet: 'Seen and mended',
        url: `${origin}${SERVICE}/0`,
        license: 'CC-BY-4.0',
        modified: 1_790_000_000_000,
      }
      const page = { id: 'b', properties: { title: 'A web page', url: 'https://city.example/' } }
      return sendJson(response, { type: 'FeatureCollection', numberMatched: 2, features: [{ id: 'a', properties }, page] })
    }
    return sendNotFound(response)
  })
}
