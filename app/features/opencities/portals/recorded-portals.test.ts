import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { connectPortal } from '#tests/support/portals/connect.ts'
import { sendJson, sendNotFound, servePortal } from '#tests/support/portals/serve.ts'
import { ROOT } from '#tests/support/product.ts'

/** Answers of real portals, as they were recorded: tests/support/portals/recordings/README.md says by whom. */
const readRecording = (name: string): Buffer => readFileSync(join(ROOT, 'tests/support/portals/recordings', name))
const parseRecording = (name: string): unknown =>
  JSON.parse((name.endsWith('.gz') ? gunzipSync(readRecording(name)) : readRecording(name)).toString())

function sendRecording(response: ServerResponse, name: string, status = 200): void {
  const packed = name.endsWith('.gz') ? { 'content-encoding': 'gzip' } : {}
  response.writeHead(status, { 'content-type': 'application/json;charset=utf-8', ...packed }).end(readRecording(name))
}

const fault = (code: string) => expect.objectContaining({ name: 'PortalFault', code })
const LAYER = '/arcgis/rest/services/Public/MapServer/0'

interface Page {
  features: { attributes: Record<string, unknown> }[]
}

describe('ArcGIS', () => {
  const openLayer = async (origin: string) => {
    const portal = await connectPortal(origin + LAYER)
    const [layer] = (await portal.search()).datasets
    return { ...portal, id: layer?.id ?? '', title: layer?.title }
  }

  test('Cook County: all 502 rows of a server that gives 500 at once, in no order, and answers everything with rows', async () => {
    const [first, second] = ['arcgis-cook-page-1.json.gz', 'arcgis-cook-page-2.json'].map((name) => parseRecording(name) as Page)
    const all = [...(first?.features ?? []), ...(second?.features ?? [])]
    const { origin } = await servePortal((url, response) => {
      if (!url.pathname.endsWith('/query')) return sendRecording(response, 'arcgis-cook-layer.json')
      const conditions = [...(url.searchParams.get('where') ?? '').matchAll(/OBJECTID (<=|>=|<|>) (-?\d+)/g)]
      const isWanted = (id: number) =>
        conditions.every(
          ([, sign = '', text]) =>
            ({ '<': id < Number(text), '<=': id <= Number(text), '>': id > Number(text), '>=': id >= Number(text) })[sign],
        )
      const features = all.filter(({ attributes }) => isWanted(Number(attributes['OBJECTID']))).slice(0, 500)
      sendJson(response, { ...first, features })
    })
    const layer = await openLayer(origin)
    expect(layer.title).toBe('Point of Interest')
    const { rows } = await layer.read(layer.id)
    expect(rows).toHaveLength(502)
    expect(new Set(rows.map((row) => row['OBJECTID'])).size).toBe(502)
  })

  test('Carson: a page out of order, with a row that comes twice, holds each row once', async () => {
    const { origin } = await servePortal((url, response) => {
      if (!url.pathname.endsWith('/query')) return sendRecording(response, 'arcgis-carson-layer.json')
      if (url.searchParams.get('returnIdsOnly')) return sendJson(response, { objectIdFieldName: 'OBJECTID', objectIds: [1, 2, 3, 4, 5] })
      sendRecording(response, 'arcgis-carson-page.json')
    })
    const layer = await openLayer(origin)
    const { rows } = await layer.read(layer.id)
    expect(rows.map((row) => row['OBJECTID'])).toEqual([1, 2, 3, 4, 5])
    expect(layer.cells(await layer.describe(layer.id), rows[0]).at(-1)).toEqual([-118.266126, 33.832256])
  })

  test('Polk County: coded values are read by their labels', async () => {
    const { origin } = await servePortal((url, response) => {
      if (!url.pathname.endsWith('/query')) return sendRecording(response, 'arcgis-polk-layer.json')
      sendRecording(response, url.searchParams.get('returnIdsOnly') ? 'arcgis-polk-ids.json' : 'arcgis-polk-page.json')
    })
    const layer = await openLayer(origin)
    const { rows } = await layer.read(layer.id)
    expect(rows).toHaveLength(10)
    expect(rows[0]).toMatchObject({ OBJECTID: 3345100, GPSFLG: 'Not Required', SiteType: 'Single Family', Zip: '33884' })
  })

  test('Polk County, had its rows other ids than it lists: an error, and not an empty dataset', async () => {
    const { origin } = await servePortal((url, response) => {
      if (!url.pathname.endsWith('/query')) return sendRecording(response, 'arcgis-polk-layer.json')
      if (url.searchParams.get('returnIdsOnly')) return sendJson(response, { objectIds: [1, 2, 3] })
      sendRecording(response, 'arcgis-polk-page.json')
    })
    const layer = await openLayer(origin)
    await expect(layer.read(layer.id)).rejects.toEqual(fault('portal-not-understood'))
  })

  test('Polk County, did it give fewer rows than it says: those that did not come are asked for again', async () => {
    const page = parseRecording('arcgis-polk-page.json') as Page
    const { origin, asked } = await servePortal((url, response) => {
      if (!url.pathname.endsWith('/query')) return sendRecording(response, 'arcgis-polk-layer.json')
      if (url.searchParams.get('returnIdsOnly')) return sendRecording(response, 'arcgis-polk-ids.json')
      const ids = url.searchParams.get('objectIds')?.split(',')
      const features = page.features.toReversed().filter(({ attributes }) => !ids || ids.includes(String(attributes['OBJECTID'])))
      sendJson(response, { ...page, features: features.slice(0, 4) })
    })
    const layer = await openLayer(origin)
    const { rows } = await layer.read(layer.id)
    expect(new Set(rows.map((row) => row['OBJECTID'])).size).toBe(10)
    expect(asked.filter((path) => path.includes('objectIds='))).toHaveLength(2)
  })

  test('Kent County: an error with status 200 is an error', async () => {
    const { origin } = await servePortal((url, response) =>
      sendRecording(response, url.pathname.endsWith('/query') ? 'arcgis-kent-error.json' : 'arcgis-polk-layer.json'),
    )
    const layer = await openLayer(origin)
    await expect(layer.read(layer.id)).rejects.toEqual(fault('portal-not-understood'))
  })
})

describe('CKAN: dados.gov.br', () => {
  const serveBrazil = () =>
    servePortal((url, response) => {
      if (url.pathname.endsWith('/status_show')) return sendJson(response, { success: true, result: { site_title: 'Dados' } })
      if (url.pathname.endsWith('/package_search')) return sendRecording(response, 'ckan-dados-package-search.json.gz')
      sendRecording(response, 'ckan-dados-not-found.json.gz', 404)
    })
  interface Resource {
    id: string
    format: string
    url: string
  }

  test('archives are no tables, though their format says CSV; packages without a table are counted', async () => {
    const portal = await connectPortal((await serveBrazil()).origin)
    const { datasets, total, leftOut } = await portal.search()
    expect(total).toBe(13_786)
    const { result } = parseRecording('ckan-dados-package-search.json.gz') as { result: { results: { resources: Resource[] }[] } }
    const offered = new Set(datasets.map(({ id }) => id))
    const resources = result.results.flatMap((one) => one.resources)
    const archives = resources.filter(({ format, url }) => /zip/i.test(format) || url.endsWith('.zip'))
    expect(archives.length).toBeGreaterThan(50)
    expect(archives.filter(({ id }) => offered.has(id))).toEqual([])
    const tables = resources.filter(({ format, url }) => format === 'CSV' && url.endsWith('.csv'))
    expect(tables.length).toBeGreaterThan(20)
    for (const { id } of tables) expect(offered).toContain(id)
    const withTable = result.results.filter((one) => one.resources.some(({ id }) => offered.has(id)))
    expect(leftOut).toEqual({ withoutTable: 10 - withTable.length, beyond: 0, of: 'page' })
  })

  test('a resource that is gone is missing', async () => {
    const portal = await connectPortal((await serveBrazil()).origin)
    await expect(portal.describe('gone')).rejects.toEqual(fault('portal-missing'))
  })
})

test('DCAT-US: data.ny.gov', async () => {
  const { origin } = await servePortal((url, response) =>
    url.pathname === '/data.json' ? sendRecording(response, 'dcat-ny.json') : sendNotFound(response),
  )
  const { datasets, total, leftOut } = await (await connectPortal(`${origin}/data.json`)).search()
  expect([total, leftOut]).toEqual([1, { withoutTable: 0, beyond: 0, of: 'catalogue' }])
  expect(datasets[0]).toMatchObject({
    id: 'https://data.ny.gov/api/views/22ew-dxez',
    title: 'State of New York Mortgage Agency (SONYMA) Loans Purchased: Beginning 2004',
    updatedAt: '2019-06-10T00:00:00.000Z',
  })
})

describe('files that are not what the portal says', () => {
  const TABLE = 'name,length\nHigh Street,210\nMill Lane,90\n'

  /** A file that is a table when it is connected, and this when it is read. */
  const connectFile = async (later: Buffer | string) => {
    let body: Buffer | string = TABLE
    const { origin } = await servePortal((url, response) =>
      url.pathname === '/streets.csv' ? void response.writeHead(200, { 'content-type': 'text/csv' }).end(body) : sendNotFound(response),
    )
    const portal = await connectPortal(`${origin}/streets.csv`)
    body = later
    return () => portal.read(`${origin}/streets.csv`)
  }

  test('a table packed with gzip is unpacked', async () => {
    const read = await connectFile(gzipSync(TABLE))
    expect((await read()).rows).toEqual([
      { name: 'High Street', length: '210' },
      { name: 'Mill Lane', length: '90' },
    ])
  })

  test.each([
    ['an archive', Buffer.from('PK\u0003\u0004\u0014\0\0\0\b\0streets.csv', 'latin1')],
    ['an old spreadsheet', Buffer.from('d0cf11e0a1b11ae1000000', 'hex')],
    ['a PDF', '%PDF-1.7\n1 0 obj'],
    ['a web page', '\n<!DOCTYPE html>\n<html><title>Moved</title></html>'],
    ['half an archive', gzipSync(TABLE.repeat(100)).subarray(0, 40)],
  ])('%s is no table', async (_, body) => {
    const read = await connectFile(body)
    await expect(read()).rejects.toEqual(fault('portal-not-understood'))
  })
})

test('DCAT: datasets that every page names are not left out; those that no page describes are', async () => {
  const describe = (id: number) => ({
    '@id': `/datasets/${id}`,
    '@type': 'dcat:Dataset',
    'dct:identifier': String(id),
    'dcat:distribution': { 'dcat:downloadURL': { '@id': `https://city.example/${id}.csv` }, 'dcat:mediaType': 'text/csv' },
  })
  const catalogue = {
    '@type': 'dcat:Catalog',
    'dct:title': 'The city',
    'dcat:dataset': [1, 2, 3, 4].map((id) => ({ '@id': `/datasets/${id}` })),
  }
  const { origin } = await servePortal((url, response) => {
    const isFirst = url.searchParams.get('page') !== '2'
    const paging = { '@type': 'hydra:PagedCollection', 'hydra:totalItems': 4, ...(isFirst ? { 'hydra:nextPage': '?page=2' } : {}) }
    sendJson(response, { '@graph': [catalogue, paging, ...(isFirst ? [describe(1), describe(2)] : [describe(3)])] })
  })
  const portal = await connectPortal(`${origin}/catalogue.jsonld`)
  expect(portal.name).toBe('The city')
  const { datasets, leftOut } = await portal.search()
  expect(datasets.map(({ id }) => id)).toEqual(['1', '2', '3'])
  expect(leftOut).toEqual({ withoutTable: 0, beyond: 1, of: 'catalogue' })
})
