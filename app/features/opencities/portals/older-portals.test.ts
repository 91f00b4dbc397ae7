import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { connectPortal, mapColumnTypes } from '#tests/support/portals/connect.ts'
import { sendJson, sendNotFound, servePortal } from '#tests/support/portals/serve.ts'

const fault = (code: string) => expect.objectContaining({ name: 'PortalFault', code })

describe('an ArcGIS folder', () => {
  const SERVICES = '/arcgis/rest/services'
  const service = (layers: readonly object[], capabilities = 'Map,Query,Data') => ({
    currentVersion: 10.05,
    capabilities,
    layers,
    tables: [],
  })
  const layer = { name: 'Name', type: 'esriFieldTypeString', alias: 'Name' }
  /** Paths and answers in the form of a county's server: folders, services twice, a geocoder, an imagery, something closed. */
  const answers: Record<string, object> = {
    '': {
      currentVersion: 10.05,
      folders: ['Zoning', 'Closed'],
      services: [
        { name: 'Parcels', type: 'FeatureServer' },
        { name: 'Parcels', type: 'MapServer' },
        { name: 'Locator', type: 'GeocodeServer' },
        { name: 'HillShade', type: 'MapServer' },
      ],
    },
    '/Zoning': {
      services: [
        { name: 'Zoning/Districts', type: 'MapServer' },
        { name: 'Zoning/Secret', type: 'MapServer' },
      ],
    },
    '/Closed': { error: { code: 499, message: 'Token Required', details: [] } },
    '/Zoning/Secret/MapServer': { error: { code: 499, message: 'Token Required', details: [] } },
    '/Parcels/FeatureServer': service([{ id: 0, name: 'Parcels', subLayerIds: null }]),
    '/HillShade/MapServer': service([{ id: 0, name: 'HillShade', type: 'Raster Layer', subLayerIds: null }]),
    '/Zoning/Districts/MapServer': service([
      { id: 0, name: 'All districts', type: 'Group Layer', subLayerIds: [1, 2] },
      { id: 1, name: 'Residential', type: 'Feature Layer', subLayerIds: [] },
      { id: 2, name: 'Historic', type: 'Feature Layer', subLayerIds: null },
    ]),
    '/Zoning/Districts/MapServer/2': {
      id: 2,
      name: 'Historic',
      type: 'Feature Layer',
      geometryType: 'esriGeometryPoint',
      fields: [{ name: 'OBJECTID', type: 'esriFieldTypeOID', alias: 'OBJECTID' }, layer],
    },
  }
  const serveCounty = () =>
    servePortal((url, response) => {
      const path = url.pathname.replace(SERVICES, '')
      if (path === '/Zoning/Districts/MapServer/2/query') {
        // Servers of this age give a thousand rows at once, without saying whether there are more.
        if (url.searchParams.get('returnCountOnly') === 'true') return sendJson(response, { count: 1502 })
        const after = Number(/OBJECTID > (\d+)/.exec(url.searchParams.get('where') ?? '')?.[1] ?? 0)
        const ids = Array.from({ length: Math.min(1000, 1502 - after) }, (_, index) => after + index + 1)
        return sendJson(response, {
          features: ids.map((id) => ({ attributes: { OBJECTID: id, Name: `House ${id}` }, geometry: { x: -88, y: 41 } })),
        })
      }
      const answer = answers[path]
      return answer ? sendJson(response, answer) : sendNotFound(response)
    })

  test('lists the layers of its maps and of the folders in it, and counts what it cannot list', async () => {
    const portal = await connectPortal((await serveCounty()).origin + SERVICES)
    const { datasets, leftOut } = await portal.search()
    expect(datasets.map(({ title }) => title)).toEqual(['Parcels', 'Districts: Residential', 'Districts: Historic'])
    expect(leftOut).toEqual({ of: 'catalogue', withoutTable: 2, refused: 2, beyond: 0 })
    expect((await portal.search('historic')).datasets).toHaveLength(1)
  })

  test('of maps only is read whole, however old the server', async () => {
    const portal = await connectPortal(`${(await serveCounty()).origin}${SERVICES}/Zoning`)
    const historic = (await portal.search('historic')).datasets[0]?.id ?? ''
    const { rows } = await portal.read(historic)
    expect(new Set(rows.map((row) => row['OBJECTID'])).size).toBe(1502)
    expect(portal.cells(await portal.describe(historic), rows[0])).toEqual([1, 'House 1', [-88, 41]])
  })

  test('says how many services are beyond the most that are opened', async () => {
    const many = Array.from({ length: 63 }, (_, index) => ({ name: `Map${index}`, type: 'MapServer' }))
    const server = await servePortal((url, response) =>
      sendJson(response, url.pathname === SERVICES ? { services: many } : service([{ id: 0, name: 'Trees' }])),
    )
    const { datasets, total, leftOut } = await (await connectPortal(server.origin + SERVICES)).search()
    expect([datasets.length, total, leftOut?.beyond]).toEqual([20, 60, 3])
  })

  test('whose maps may not be queried has no tables', async () => {
    const server = await servePortal((_, response) => sendJson(response, service([{ id: 0, name: 'Trees' }], 'Map')))
    const found = await (await connectPortal(`${server.origin}${SERVICES}/Trees/MapServer`)).search()
    expect(found).toMatchObject({ datasets: [], leftOut: { withoutTable: 1 } })
  })
})

describe('an ArcGIS layer of an old server', () => {
  const LAYER = '/arcgis/rest/services/Addressing/MapServer/0'
  const layer = {
    currentVersion: 10.02,
    name: 'Addressing',
    type: 'Feature Layer',
    geometryType: 'esriGeometryPoint',
    fields: [
      { name: 'Shape', type: 'esriFieldTypeGeometry', alias: 'Shape' },
      { name: 'Street', type: 'esriFieldTypeString', alias: 'Street' },
      { name: 'SHAPE.fid', type: 'esriFieldTypeOID', alias: 'SHAPE.fid' },
    ],
  }
  const feature = (id: number, street: string, x: number | string, y: number | string) =>
    `{"attributes":{"Street":"${street}","SHAPE.fid":${id}},"geometry":{"x":${x},"y":${y}}}`
  const readLayer = async (answerQuery: (query: URLSearchParams) => string) => {
    const { origin } = await servePortal((url, response) =>
      url.pathname.endsWith('/query') ? void response.end(answerQuery(url.searchParams)) : sendJson(response, layer),
    )
    const portal = await connectPortal(origin + LAYER)
    const [found] = (await portal.search()).datasets
    const facts = await portal.describe(found?.id ?? '')
    return (await portal.read(facts.id)).rows.map((row) => portal.cells(facts, row))
  }

  // As Orange County, New York, answers for an address that it has not placed yet.
  test('with a point that is not a number has the row, without a place', async () => {
    const features = [feature(2345, 'NaN Lane \\"x\\"', -74.2, 41.3), feature(2363, 'N Plank Rd', 'NaN', 'NaN')]
    const rows = await readLayer((query) =>
      query.has('returnIdsOnly') ? '{"objectIds":[2345,2363]}' : `{"features":[${features.join(',')}]}`,
    )
    expect(rows).toEqual([
      ['NaN Lane "x"', 2345, [-74.2, 41.3]],
      ['N Plank Rd', 2363, null],
    ])
  })

  test('that lists no ids, though it has rows, is read all the same', async () => {
    const rows = await readLayer((query) => {
      if (query.has('returnIdsOnly')) return '{"objectIdFieldName":"SHAPE.fid","objectIds":[]}'
      return query.has('returnCountOnly') ? '{"count":1}' : `{"features":[${feature(7, 'School Rd', -74.2, 41.3)}]}`
    })
    expect(rows).toEqual([['School Rd', 7, [-74.2, 41.3]]])
  })
})

describe('Opendatasoft before version 2.1', () => {
  const metas = {
    title: 'Bornes de recharge',
    description: '<p>Bornes</p>',
    license: 'CC BY 4.0',
    publisher: 'Ville',
    language: 'fr',
    modified: '2021-03-01T10:00:00+00:00',
  }
  const fields = [
    { name: 'nom', label: 'Nom', type: 'text' },
    { name: 'puissance', label: 'Puissance', type: 'double' },
    { name: 'lieu', label: 'Lieu', type: 'geo_point_2d' },
  ]
  const values = (index: number) => ({ nom: `Borne ${index}`, puissance: index / 2 })

  /** Search API 1.0, with the latitude first. */
  const serveFirst = (rows: number) => {
    const record = (index: number) => ({
      datasetid: 'bornes',
      recordid: `r${index}`,
      fields: { ...values(index), lieu: [45.5, -73.6] },
      geometry: { type: 'Point', coordinates: [-73.6, 45.5] },
      record_timestamp: '2021-03-01T10:00:00Z',
    })
    const dataset = { datasetid: 'bornes', has_records: true, metas: { ...metas, records_count: rows }, fields, attachments: [] }
    const plan = { datasetid: 'plan', has_records: false, metas: { title: 'Plan (PDF)' }, fields: [], attachments: [{}] }
    return servePortal((url, response) => {
      const read = (name: string) => Number(url.searchParams.get(name) ?? 0)
      if (url.pathname === '/api/datasets/1.0/search/') return sendJson(response, { nhits: 2, parameters: {}, datasets: [dataset, plan] })
      if (url.pathname === '/api/datasets/1.0/bornes/') return sendJson(response, dataset)
      if (url.pathname === '/api/records/1.0/search/') {
        const [start, size] = [read('start'), Math.max(0, Math.min(read('rows'), rows - read('start')))]
        return sendJson(response, { nhits: rows, records: Array.from({ length: size }, (_, index) => record(start + index)) })
      }
      if (url.pathname === '/api/records/1.0/download/')
        return sendJson(
          response,
          Array.from({ length: rows }, (_, index) => record(index)),
        )
      return sendNotFound(response)
    })
  }

  /** Explore API 2.0, where everything is wrapped. */
  const serveSecond = (rows: number) => {
    const dataset = { dataset_id: 'bornes', has_records: true, metas: { default: { ...metas, records_count: rows } }, fields }
    const list = '/api/v2/catalog/datasets'
    return servePortal((url, response) => {
      const [offset, limit] = [Number(url.searchParams.get('offset')), Number(url.searchParams.get('limit'))]
      if (url.pathname === list) return sendJson(response, { total_count: 1, links: [], datasets: [{ links: [], dataset }] })
      if (url.pathname === `${list}/bornes`) return sendJson(response, { links: [], dataset })
      if (url.pathname === `${list}/bornes/records`) {
        const size = Math.max(0, Math.min(limit, rows - offset))
        const records = Array.from({ length: size }, (_, index) => ({
          links: [],
          record: { id: `r${offset + index}`, fields: { ...values(offset + index), lieu: { lat: 45.5, lon: -73.6 } } },
        }))
        return sendJson(response, { total_count: rows, links: [], records })
      }
      return sendNotFound(response)
    })
  }

  test.each([
    ['1.0', serveFirst],
    ['2.0', serveSecond],
  ])('is found and read by version %s', async (_, serve) => {
    const portal = await connectPortal((await serve(250)).origin, 'fr-CA')
    expect(portal.kind).toBe('opendatasoft')
    const { datasets } = await portal.search('bornes')
    expect(datasets).toEqual([expect.objectContaining({ id: 'bornes', title: 'Bornes de recharge', licence: 'CC BY 4.0', rows: 250 })])
    const facts = await portal.describe('bornes')
    expect(facts).toMatchObject({ publisher: 'Ville', language: 'fr-CA' })
    expect(facts.page).toMatch(/^http:\/\/[\w.:]+\/explore\/dataset\/bornes\/$/)
    const { rows } = await portal.read('bornes')
    expect(rows).toHaveLength(250)
    expect(portal.cells(facts, rows[249])).toEqual(['Borne 249', 124.5, [-73.6, 45.5]])
  })

  test('is read from its export beyond ten thousand records; what has no table is counted', async () => {
    const portal = await connectPortal((await serveFirst(10_500)).origin, 'fr-CA')
    expect((await portal.search()).leftOut).toEqual({ of: 'page', withoutTable: 1, refused: 0, beyond: 0 })
    const { rows } = await portal.read('bornes')
    expect(rows).toHaveLength(10_500)
    expect(portal.cells(await portal.describe('bornes'), rows[1])).toEqual(['Borne 1', 0.5, [-73.6, 45.5]])
  })
})

// As Banque de France answers without its key: the catalogue says how many records there are, and none is given.
test('Opendatasoft: datasets whose records are not shown to us are counted; to copy one is refused', async () => {
  const dataset = (id: string, visible: boolean) => ({
    dataset_id: id,
    has_records: true,
    data_visible: visible,
    metas: { default: { title: id, records_count: 12 } },
    fields: [{ name: 'rate', type: 'double' }],
  })
  const list = '/api/explore/v2.1/catalog/datasets'
  const { origin } = await servePortal((url, response) => {
    if (url.pathname === list) return sendJson(response, { total_count: 2, results: [dataset('rates', true), dataset('closed', false)] })
    if (url.pathname === `${list}/rates`) return sendJson(response, dataset('rates', true))
    return url.pathname === `${list}/rates/records` ? sendJson(response, { total_count: 0, results: [] }) : sendNotFound(response)
  })
  const portal = await connectPortal(origin)
  const { datasets, leftOut } = await portal.search()
  expect(datasets.map(({ id }) => id)).toEqual(['rates'])
  expect(leftOut).toEqual({ of: 'page', withoutTable: 0, refused: 1, beyond: 0 })
  await expect(portal.read('rates')).rejects.toEqual(fault('portal-refused'))
})

describe('a CKAN package of files', () => {
  async function serveFiles(workbook: Uint8Array | Buffer) {
    const resource = (id: string, format: string, mimetype: string | null) => ({
      id,
      package_id: 'p1',
      name: format,
      format,
      mimetype,
      url: `http://127.0.0.1/files/${id}`,
      datastore_active: false,
      last_modified: null,
    })
    const server = await servePortal((url, response, request) => {
      const origin = `http://${request.headers.host}`
      const files = [
        resource('table', 'CSV', 'text/csv'),
        resource('book', 'XLSX', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
        resource('old', 'XLS', 'application/vnd.ms-excel'),
      ].map((one) => ({ ...one, url: `${origin}/files/${one.id}` }))
      const found = { id: 'p1', name: 'budget', title: 'Budget', resources: files }
      const scans = { id: 'p2', name: 'scans', title: 'Scans', resources: [resource('scan', 'PDF', 'application/pdf')] }
      const ok = (result: unknown) => sendJson(response, { success: true, result })
      switch (url.pathname) {
        case '/api/3/action/status_show':
          return ok({ site_title: 'Open data' })
        case '/api/3/action/package_search':
          return ok({ count: 2, results: [found, scans] })
        case '/api/3/action/package_show':
          return ok(found)
        case '/api/3/action/resource_show':
          return ok(files.find(({ id }) => id === url.searchParams.get('id')))
        case '/files/table':
          return void response.writeHead(200, { 'content-type': 'text/csv' }).end('Item;Cost\nTrees;12,5\n')
        case '/files/book':
          return void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(workbook)
        default:
          return sendNotFound(response)
      }
    })
    return connectPortal(server.origin)
  }

  const workbook = () =>
    writeXlsx({
      sheets: [
        {
          name: 'Budget',
          rows: [
            ['Budget of the town', null, null, null],
            [],
            ['Item', 'Cost', 'Paid on', 'Latitude', 'Longitude'],
            ['Trees', 12.5, new Date(Date.UTC(2026, 4, 14)), 45.5, -73.6],
            ['Benches', 1200, new Date(Date.UTC(2026, 5, 1)), 45.6, -73.7],
          ],
        },
        { name: 'Notes', rows: [['Not a table']] },
      ],
    })

  test('is read from CSV and from XLSX: the table below its title, with numbers, dates and places', async () => {
    const portal = await serveFiles(await workbook())
    const { datasets, leftOut } = await portal.search()
    expect(datasets.map(({ title }) => title)).toEqual(['Budget: CSV', 'Budget: XLSX'])
    expect(leftOut).toEqual({ of: 'page', withoutTable: 1, beyond: 0 })
    const facts = await portal.describe('book')
    expect(mapColumnTypes(facts)).toMatchObject({ Item: 'text', Cost: 'number', 'Paid on': 'date', place: 'place' })
    const { rows } = await portal.read('book')
    expect(rows.map((row) => row['Item'])).toEqual(['Trees', 'Benches'])
    expect(portal.cells(facts, rows[0])).toEqual(expect.arrayContaining(['Trees', 12.5, '2026-05-14', [-73.6, 45.5]]))
    expect((await portal.read('table')).rows).toEqual([{ Item: 'Trees', Cost: '12,5' }])
  })

  test('says that a workbook cannot be read if it is none, or wider than any table', async () => {
    await expect((await serveFiles(Buffer.from('PK no workbook'))).read('book')).rejects.toEqual(fault('portal-not-understood'))
    const wide = await writeXlsx({ sheets: [{ name: 'Wide', rows: [Array.from({ length: 300 }, (_, index) => `c${index}`)] }] })
    await expect((await serveFiles(wide)).read('book')).rejects.toEqual(fault('portal-too-many-rows'))
  })
})
