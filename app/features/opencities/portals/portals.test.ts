import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { serveArcgis } from '#tests/support/portals/arcgis.ts'
import { serveCatalogues } from '#tests/support/portals/catalogues.ts'
import { serveCkan } from '#tests/support/portals/ckan.ts'
import { connectPortal, mapColumnTypes } from '#tests/support/portals/connect.ts'
import { serveOpendatasoft } from '#tests/support/portals/opendatasoft.ts'
import { sendNotFound, sendJson, servePortal } from '#tests/support/portals/serve.ts'
import { serveSocrata } from '#tests/support/portals/socrata.ts'
import { PortalReader } from './portal-reader.server.ts'

const fault = (code: string) => expect.objectContaining({ name: 'PortalFault', code })

describe('CKAN', () => {
  test('is searched, and read from its datastore in pages as small as the portal likes', async () => {
    const server = await serveCkan(5000)
    const portal = await connectPortal(`${server.origin}/dataset/arbres?x=1`, 'fr-CA', 'a token')
    expect(server.headers().authorization).toBe('a token')
    expect(portal).toMatchObject({ kind: 'ckan', name: 'Données ouvertes' })
    const { datasets, total } = await portal.search('arbres')
    expect(total).toBe(1)
    expect(datasets).toEqual([
      expect.objectContaining({
        id: 'aaaa-1',
        title: 'Arbres de la ville: Arbres publics',
        description: 'Inventaire des arbres publics & des parcs.',
        licence: '',
      }),
    ])
    const facts = await portal.describe('aaaa-1')
    expect(facts).toMatchObject({ publisher: 'Service des parcs', language: 'fr-CA', rows: 5000 })
    expect(mapColumnTypes(facts)).toEqual({ Essence: 'text', 'Diamètre (cm)': 'number', Date_Plantation: 'date', Rang: 'number' })
    const { rows, validators } = await portal.read('aaaa-1')
    expect(rows.map((row) => row['Rang'])).toEqual(Array.from({ length: 5000 }, (_, index) => index))
    expect(portal.cells(facts, rows[3])).toEqual(['Érable', 13.5, '2019-05-14', 3])
    expect((await portal.read('aaaa-1', { cursor: { offset: 4000 } })).rows).toHaveLength(1000)
    expect((await portal.read('aaaa-1', { validators: validators ?? {} })).rows).toEqual([])
    await expect(portal.describe('nothing')).rejects.toEqual(fault('portal-missing'))
  })
})

describe('Socrata', () => {
  test('is found by Discovery and read in the order of :id', async () => {
    const server = await serveSocrata(12_000)
    const portal = await connectPortal(server.origin, 'en', 'app token')
    expect(portal.kind).toBe('socrata')
    expect((await portal.search('permits')).datasets).toEqual([
      expect.objectContaining({ id: 'abcd-1234', title: 'Building permits', licence: 'Public Domain' }),
    ])
    const facts = await portal.describe('abcd-1234')
    expect(facts.rows).toBe(12_000)
    expect(mapColumnTypes(facts)).toEqual({ Permit: 'text', Cost: 'number', Issued: 'moment', Website: 'link', Where: 'place' })
    const { rows } = await portal.read('abcd-1234')
    expect(new Set(rows.map((row) => row['permit'])).size).toBe(12_000)
    expect(portal.cells(facts, rows[4])).toEqual(['P-000004', 6, '2026-03-04T00:00:00.000Z', 'https://city.example/4', [-79.37996, 43.65]])
    expect(portal.cells(facts, rows[3])[3]).toBeNull()
    expect(server.headers()['x-app-token']).toBe('app token')
  })

  test('is read by SODA 3 if the older protocol is gone', async () => {
    const portal = await connectPortal((await serveSocrata(25, { soda3: true })).origin)
    expect((await portal.read('abcd-1234')).rows).toHaveLength(25)
  })
})

describe('Opendatasoft', () => {
  test('is read page by page up to ten thousand records', async () => {
    const server = await serveOpendatasoft(250)
    const portal = await connectPortal(server.origin, 'fr-CA')
    expect(portal.kind).toBe('opendatasoft')
    expect((await portal.search('vélos')).datasets[0]).toMatchObject({
      title: 'Stations de vélos',
      description: 'Vélos en libre-service',
      rows: 250,
    })
    const facts = await portal.describe('velos@ville')
    expect(facts).toMatchObject({ licence: 'Licence Ouverte v2.0', language: 'fr-CA' })
    const { rows } = await portal.read('velos@ville')
    expect(rows).toHaveLength(250)
    expect(portal.cells(facts, rows[249])).toEqual([249, 'Station 249', false, [2.35, 48.85], '2026-11-01T10:00:00.000Z'])
    expect((await portal.read('velos@ville', { cursor: { row: 130 } })).rows.map((row) => row['numero'])[0]).toBe(130)
    expect(server.asked.some((path) => path.includes('exports'))).toBe(false)
  })

  test('is read from its export beyond that', async () => {
    const server = await serveOpendatasoft(10_500)
    const portal = await connectPortal(server.origin)
    const { rows, cursors } = await portal.read('velos@ville')
    expect(rows).toHaveLength(10_500)
    expect(cursors.at(-1)).toEqual({ row: 10_500 })
    expect(server.asked.some((path) => path.includes('/records'))).toBe(false)
  })
})

describe('ArcGIS', () => {
  test.each([true, false])('returns every feature however small its pages (it pages: %s)', async (paging) => {
    const server = await serveArcgis(175, { paging })
    const portal = await connectPortal(`${server.origin}/server/rest/services/Roads/FeatureServer?token=x`)
    expect(portal.kind).toBe('arcgis')
    const [layer] = (await portal.search('pot')).datasets
    const facts = await portal.describe(layer?.id ?? '')
    expect(mapColumnTypes(facts)).toEqual({ OBJECTID: 'number', State: 'number', 'Seen on': 'moment', place: 'place' })
    const { rows } = await portal.read(layer?.id ?? '')
    expect(rows.map((row) => row['OBJECTID'])).toEqual(Array.from({ length: 175 }, (_, index) => index + 1))
    expect(portal.cells(facts, rows[0])).toEqual([1, 'Mended', '2026-05-28T20:26:40.000Z', [-75.7, 45.4001]])
    await expect(portal.describe(`${server.origin}/server/rest/services/Roads/FeatureServer/7`)).rejects.toEqual(fault('portal-refused'))
  })

  test('Hub is searched by OGC API Records, and its layers are read from their own servers', async () => {
    const server = await serveArcgis(60, { paging: true })
    const portal = await connectPortal(server.origin)
    expect(portal.kind).toBe('arcgis-hub')
    const { datasets } = await portal.search()
    expect(datasets).toEqual([expect.objectContaining({ title: 'Potholes', licence: 'CC-BY-4.0' })])
    expect((await portal.read(datasets[0]?.id ?? '')).rows).toHaveLength(60)
  })
})

describe('catalogues and files', () => {
  test('DCAT-US: lists datasets that have a table', async () => {
    const { origin } = await serveCatalogues()
    const portal = await connectPortal(origin, 'fr-CA')
    expect(portal.kind).toBe('dcat')
    const { datasets } = await portal.search()
    expect(datasets).toEqual([expect.objectContaining({ id: 'museums-1', description: 'By year', licence: 'by 4.0' })])
    const facts = await portal.describe('museums-1')
    expect(facts).toMatchObject({
      publisher: 'Culture',
      licenceUrl: 'https://creativecommons.org/licenses/by/4.0/',
      updatedAt: '2026-05-01T00:00:00.000Z',
    })
    const { rows } = await portal.read('museums-1')
    expect(rows.map((row) => portal.cells(facts, row))).toEqual([['East', 1200], ['West', 900], ['Musée', 7]]) // prettier-ignore
  })

  test('DCAT-AP: a graph of references, read in the requested language', async () => {
    const { origin } = await serveCatalogues()
    const portal = await connectPortal(`${origin}/catalog.jsonld`, 'fr-CA')
    const { datasets } = await portal.search('parcs')
    expect(datasets).toEqual([expect.objectContaining({ id: 'parcs', title: 'Parcs', licence: 'zero 1.0' })])
    expect((await portal.describe('parcs')).publisher).toBe('Ville')
    expect((await portal.read('parcs')).rows[1]).toMatchObject({ name: 'Park 1', 'facts.benches': 1, tags: 'green, quiet' })
  })

  test.each([
    {
      name: 'views linked by next',
      link: (next: string) => ({ '@type': 'hydra:PartialCollectionView', 'hydra:next': { '@id': next } }),
      view: true,
    },
    {
      name: 'paged collections linked by nextPage',
      link: (next: string) => ({ '@type': 'hydra:PagedCollection', 'hydra:nextPage': next }),
      view: false,
    },
  ])('DCAT-AP: follows the pages of Hydra ($name), and says what is not listed', async ({ link, view }) => {
    const { origin, asked } = await servePortal((url, response) => {
      if (url.pathname !== '/catalog.jsonld') return void response.writeHead(404).end()
      const page = Number(url.searchParams.get('page') ?? '1')
      const dataset = (name: string, format: string) => ({
        '@type': 'dcat:Dataset',
        'dct:identifier': name,
        'dct:title': name,
        'dcat:distribution': [{ 'dcat:downloadURL': { '@id': `http://${url.host}/${name}` }, 'dct:format': format }],
      })
      const total = { '@id': 'all', '@type': 'hydra:Collection', 'hydra:totalItems': 60 }
      const next = link(page === 30 ? `http://other.example/catalog.jsonld` : `?page=${page + 1}`)
      const paging = view ? [{ ...total, 'hydra:view': next }] : [total, next]
      sendJson(response, { '@graph': [...paging, dataset(`table-${page}`, 'CSV'), dataset(`report-${page}`, 'PDF')] })
    })
    const portal = await connectPortal(`${origin}/catalog.jsonld`)
    const found = await portal.search('table')
    expect(found).toMatchObject({ total: 20, leftOut: { withoutTable: 20, beyond: 20 } })
    expect(asked.some((path) => path.includes('page=20'))).toBe(true)
    expect(asked.some((path) => path.includes('page=21'))).toBe(false)
  })

  test('GeoJSON, JSON and news', async () => {
    const { origin } = await serveCatalogues()
    const parks = await connectPortal(`${origin}/parks.geojson`)
    expect(parks.kind).toBe('geojson')
    const facts = await parks.describe(`${origin}/parks.geojson`)
    expect(parks.cells(facts, (await parks.read(`${origin}/parks.geojson`)).rows[2])).toEqual(['Park 2', 2, 'green, quiet', [-3.5, 51.5]])
    const list = await connectPortal(`${origin}/list.json`)
    expect(list.kind).toBe('json')
    expect((await list.read(`${origin}/list.json`)).rows).toEqual([{ id: 1, name: 'Brace } in "text"' }, { id: 2, name: 'Two' }]) // prettier-ignore
    const news = await connectPortal(`${origin}/news.xml`)
    expect(news.kind).toBe('rss')
    expect((await news.read(`${origin}/news.xml`)).rows).toEqual([
      { title: 'Bridge open', link: 'https://city.example/1', published: '2026-11-03T10:00:00.000Z', description: 'It & the road' },
      { title: 'Pool closed', link: 'https://city.example/2', published: 'soon', description: '' },
    ])
  })

  test('OGC API Features: follows next links', async () => {
    const { origin } = await serveCatalogues()
    const portal = await connectPortal(`${origin}/ogc/`)
    expect(portal.kind).toBe('ogc')
    expect((await portal.search('green')).datasets).toEqual([expect.objectContaining({ id: 'parks', licence: 'OGL' })])
    const { rows, cursors } = await portal.read('parks')
    expect(rows).toHaveLength(9)
    expect((await portal.read('parks', { cursor: cursors[0] ?? {} })).rows).toHaveLength(6)
  })
})

describe('a malicious or broken portal', () => {
  test('sends the same page forever', async () => {
    const { origin } = await servePortal((url, response) => {
      if (!url.pathname.startsWith('/collections')) return sendNotFound(response)
      if (url.pathname.endsWith('/collections')) return sendJson(response, { collections: [{ id: 'x' }] })
      const features = [{ type: 'Feature', properties: { a: 1 }, geometry: null }]
      return sendJson(response, { features, links: [{ rel: 'next', href: url.pathname + url.search }] })
    })
    const portal = await connectPortal(origin)
    expect(portal.kind).toBe('ogc')
    await expect(portal.read('x')).rejects.toEqual(fault('portal-endless'))
  })

  test('sends its first rows again at every offset', async () => {
    const portal = await connectPortal((await serveSocrata(10_000, { endless: true })).origin)
    await expect(portal.read('abcd-1234')).rejects.toEqual(fault('portal-endless'))
  })

  test('sends a bomb: forty megabytes compressed to a few thousand bytes, or a table without line breaks', async () => {
    const document = gzipSync(Buffer.concat([Buffer.from('{"success":true,"x":"'), Buffer.alloc(40_000_000, 'x'), Buffer.from('"}')]))
    const table = gzipSync(Buffer.concat([Buffer.from('a,b\n1,'), Buffer.alloc(40_000_000, 'x')]))
    const { origin } = await servePortal((url, response) => {
      if (url.pathname === '/bomb.csv')
        return void response.writeHead(200, { 'content-type': 'text/csv', 'content-encoding': 'gzip' }).end(table)
      if (url.pathname !== '/api/3/action/status_show') return sendNotFound(response)
      return void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(document)
    })
    await expect(connectPortal(origin)).rejects.toMatchObject({ name: 'OutgoingFault', reason: 'too-large' })
    await expect(connectPortal(`${origin}/bomb.csv`)).rejects.toThrow(/too-large/)
  })

  test('has a host name that resolves to a private network after the check', async () => {
    const { origin } = await servePortal((_, response) => sendJson(response, { fine: true }))
    let asked = 0
    const reader = new PortalReader({
      policy: {
        loopback: true,
        resolve: (_, done) => done(null, [{ address: asked++ === 0 ? '127.0.0.1' : '169.254.169.254', family: 4 }]),
      },
      home: 'http://portal.example',
      language: 'en',
    })
    const address = `http://portal.example:${new URL(origin).port}/data`
    expect(await reader.json(address)).toEqual({ fine: true })
    await expect(reader.json(address)).rejects.toMatchObject({ name: 'OutgoingFault', reason: 'address-refused' })
  })

  test('sends script URLs as links, and markup as names', async () => {
    const { origin } = await servePortal((url, response) => {
      if (url.pathname !== '/data.json')
        return url.pathname === '/x.csv' ? void response.end('<b>a</b>;b\n<i>1</i>;2\n') : sendNotFound(response)
      return sendJson(response, {
        dataset: [
          {
            identifier: 'x',
            title: ['<img src=x onerror=alert(1)>Trees'],
            description: '<script>alert(1)</script>Old <b>trees</b>',
            license: 'javascript:alert(1)',
            landingPage: 'javascript:alert(2)',
            publisher: [{ name: '<b>Parks</b>' }],
            modified: 'R/P1Y',
            distribution: { format: 'CSV', accessURL: `${origin}/x.csv` },
          },
        ],
      })
    })
    const portal = await connectPortal(origin)
    const facts = await portal.describe('x')
    expect(facts).toMatchObject({ title: 'Trees', licenceUrl: null, page: null, publisher: 'Parks' })
    expect(facts.description).not.toMatch(/[<>]/)
    expect((await portal.read('x')).rows).toEqual([{ '<b>a</b>': '<i>1</i>', b: '2' }])
  })

  test('links its next page to a private address', async () => {
    const { origin } = await servePortal((url, response) => {
      if (!url.pathname.startsWith('/collections')) return sendNotFound(response)
      if (url.pathname.endsWith('/collections')) return sendJson(response, { collections: [{ id: 'x' }] })
      return sendJson(response, {
        features: [{ type: 'Feature', properties: {}, geometry: null }],
        links: [{ rel: 'next', href: 'http://169.254.169.254/latest/meta-data/' }],
      })
    })
    await expect((await connectPortal(origin)).read('x')).rejects.toMatchObject({ name: 'OutgoingFault', reason: 'address-refused' })
  })

  test('announces JSON and sends HTML', async () => {
    const { origin } = await servePortal((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'))
    await expect(connectPortal(origin)).rejects.toEqual(fault('portal-unknown-kind'))
  })

  test('sends a row of ten megabytes', async () => {
    const { origin } = await servePortal((url, response) => {
      response.writeHead(200, { 'content-type': url.pathname.endsWith('csv') ? 'text/csv' : 'application/geo+json' })
      if (url.pathname.endsWith('csv')) response.end(`a,b\n1,"${'x'.repeat(10_000_000)}"\n`)
      else response.end(`{"features":[{"properties":{"a":"${'x'.repeat(10_000_000)}"}}]}`)
    })
    await expect(connectPortal(`${origin}/huge.csv`)).rejects.toEqual(fault('portal-cell-too-large'))
    await expect(connectPortal(`${origin}/huge.geojson`)).rejects.toEqual(fault('portal-cell-too-large'))
  })

  test('sends a gigabyte, of which only the size limit of a document is read', async () => {
    const megabyte = Buffer.alloc(1_000_000, 'x')
    let sent = 0
    const { origin } = await servePortal((url, response) => {
      if (url.pathname !== '/data.json') return sendNotFound(response)
      const parts = function* () {
        yield '{"dataset":[{"title":"'
        for (let count = 0; count < 1000; count++) {
          sent += 1
          yield megabyte
        }
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      Readable.from(parts()).pipe(response)
    })
    await expect(connectPortal(origin)).rejects.toMatchObject({ name: 'OutgoingFault', reason: 'too-large' })
    expect(sent).toBeLessThan(100)
  })

  test('sends rows of almost a megabyte: only a few are in memory at once, and only a few are read to learn the columns', async () => {
    const row = `${Array.from({ length: 45 }, () => 'x'.repeat(19_000)).join(',')}\n`
    let sent = 0
    const { origin } = await servePortal((_, response) => {
      const parts = function* () {
        yield `${Array.from({ length: 45 }, (__, index) => `c${index}`).join(',')}\n`
        for (let count = 0; count < 40; count++) {
          sent += 1
          yield row
        }
      }
      response.writeHead(200, { 'content-type': 'text/csv' })
      Readable.from(parts()).pipe(response)
    })
    const portal = await connectPortal(`${origin}/wide.csv`)
    sent = 0
    expect((await portal.describe(`${origin}/wide.csv`)).columns).toHaveLength(45)
    expect(sent).toBeLessThan(30)
    const { rows, cursors } = await portal.read(`${origin}/wide.csv`)
    expect(rows).toHaveLength(40)
    expect(cursors.map(({ row: at }) => at)).toEqual([5, 10, 15, 20, 25, 30, 35, 40])
  })

  test('is busy for a moment and is asked again', async () => {
    let asked = 0
    const { origin } = await servePortal((_, response) => {
      asked += 1
      if (asked < 3) return void response.writeHead(429, { 'retry-after': '1' }).end()
      return void response.writeHead(200, { 'content-type': 'text/csv' }).end('a,b\n1,2\n')
    })
    expect((await connectPortal(`${origin}/x.csv`)).kind).toBe('csv')
  })
})
