import { describe, expect, test } from 'vitest'
import { connectPortal, mapColumnTypes } from '#tests/support/portals/connect.ts'
import { sendNotFound, sendJson, servePortal } from '#tests/support/portals/serve.ts'

/** A portal that serves these documents by path; strings are sent as they are. */
const serve = (documents: Record<string, (origin: string) => unknown>) =>
  servePortal((url, response, request) => {
    const document = documents[url.pathname]?.(`http://${request.headers.host}`)
    if (document === undefined) return sendNotFound(response)
    return typeof document === 'string' ? void response.end(document) : sendJson(response, document)
  })

describe('payloads as portals really send them', () => {
  test('CKAN: a resource outside the datastore, in French, with month names and a licence given only by id', async () => {
    const resource = (origin: string) => ({
      id: 'r1',
      package_id: 'p1',
      name: null,
      format: '.csv',
      url: `${origin}/permis.csv`,
      datastore_active: false,
    })
    const { origin } = await serve({
      '/api/3/action/status_show': () => ({ success: true, result: { site_title: '' } }),
      '/api/3/action/package_search': (at) => ({
        success: true,
        result: {
          count: 1,
          results: [{ id: 'p1', title: 'Permis', notes: null, license_id: 'cc-by', organization: null, resources: [resource(at)] }],
        },
      }),
      '/api/3/action/resource_show': (at) => ({ success: true, result: resource(at) }),
      '/api/3/action/package_show': (at) => ({ success: true, result: { id: 'p1', title: 'Permis', tags: {}, resources: [resource(at)] } }),
      '/permis.csv': () => 'N° de permis;Émis le;Valeur;En vigueur\n0012;1er mars 2024;1 250,50 $;oui\n0013;14 déc. 2023;900 $;non\n',
    })
    const portal = await connectPortal(origin, 'fr-CA')
    expect(portal.kind).toBe('ckan')
    expect((await portal.search()).datasets).toHaveLength(1)
    const facts = await portal.describe('r1')
    expect(mapColumnTypes(facts)).toEqual({ 'N° de permis': 'text', 'Émis le': 'date', Valeur: 'number', 'En vigueur': 'yes-no' })
    const { rows } = await portal.read('r1')
    expect(rows.map((row) => portal.cells(facts, row))).toEqual([
      ['0012', '2024-03-01', 1250.5, true],
      ['0013', '2023-12-14', 900, false],
    ])
  })

  test('Socrata: an old-style location, no licence, no modification date, unnamed columns', async () => {
    const { origin } = await serve({
      '/api/catalog/v1': () => ({ results: [{ resource: { id: 'aaaa-bbbb', name: 'Hydrants', description: null } }], resultSetSize: 1 }),
      '/api/views/aaaa-bbbb.json': () => ({
        id: 'aaaa-bbbb',
        name: 'Hydrants',
        columns: [
          { fieldName: 'at', dataTypeName: 'location' },
          { fieldName: 'flow', name: 'Flow', dataTypeName: 'number' },
        ],
      }),
      '/resource/aaaa-bbbb.json': () => [
        { at: { latitude: '44.23', longitude: '-76.49', human_address: '{"address":""}' }, flow: '12.5' },
        { flow: 'n/a' },
      ],
    })
    const portal = await connectPortal(origin)
    const facts = await portal.describe('aaaa-bbbb')
    expect(facts).toMatchObject({ licence: '', licenceUrl: null, updatedAt: null, rows: null })
    const { rows } = await portal.read('aaaa-bbbb')
    expect(rows.map((row) => portal.cells(facts, row))).toEqual([[[-76.49, 44.23], 12.5], [null, 'n/a']]) // prettier-ignore
  })

  test('Opendatasoft: no record count, with shapes and days', async () => {
    const dataset = {
      dataset_id: 'quartiers',
      metas: { default: { title: ['Quartiers'], license: null } },
      fields: [
        { name: 'nom', label: 'Nom', type: 'text' },
        { name: 'forme', label: null, type: 'geo_shape' },
        { name: 'depuis', label: 'Depuis', type: 'date' },
      ],
    }
    const shape = { type: 'Feature', geometry: { type: 'Polygon', coordinates: [[[2, 48], [2, 49], [3, 49], [3, 48], [2, 48]]] }, properties: {} } // prettier-ignore
    const { origin } = await serve({
      '/api/explore/v2.1/catalog/datasets': () => ({ total_count: 1, results: [dataset] }),
      '/api/explore/v2.1/catalog/datasets/quartiers': () => dataset,
      '/api/explore/v2.1/catalog/datasets/quartiers/exports/json': () => [
        { nom: 'Centre', forme: shape, depuis: '1998-07-14' },
        { nom: null },
      ],
    })
    const portal = await connectPortal(origin, 'fr-CA')
    const facts = await portal.describe('quartiers')
    expect(facts).toMatchObject({ title: 'Quartiers', licence: '' })
    const { rows } = await portal.read('quartiers')
    expect(rows.map((row) => portal.cells(facts, row))).toEqual([['Centre', [2.5, 48.5], '1998-07-14'], [null, null, null]]) // prettier-ignore
  })

  test('ArcGIS: a table without places, days before 1970, and a placeholder text for empty values', async () => {
    const url = '/arcgis/rest/services/Homes/MapServer/3'
    const { origin } = await serve({
      [url]: () => ({
        id: 3,
        name: 'Homes',
        fields: [
          { name: 'FID', type: 'esriFieldTypeOID', alias: 'FID' },
          { name: 'BUILT', type: 'esriFieldTypeDate', alias: '' },
          { name: 'NOTE', type: 'esriFieldTypeString', alias: 'Note' },
        ],
      }),
      [`${url}/query`]: () => ({ features: [{ attributes: { FID: 1, BUILT: -2208988800000, NOTE: ' ' } }], exceededTransferLimit: false }),
    })
    const portal = await connectPortal(origin + url)
    const facts = await portal.describe(origin + url)
    expect(mapColumnTypes(facts)).toEqual({ FID: 'number', BUILT: 'moment', Note: 'text' })
    const { rows } = await portal.read(origin + url)
    expect(portal.cells(facts, rows[0])).toEqual([1, '1900-01-01T00:00:00.000Z', null])
  })

  test.each([true, false])(
    'ArcGIS: a server that gives fewer rows at once than it claims, and does not say that there are more (paging: %s)',
    async (paging) => {
      const path = '/arcgis/rest/services/Trees/FeatureServer/0'
      const features = Array.from({ length: 502 }, (_, index) => ({ attributes: { OBJECTID: index + 1 } }))
      const { origin } = await servePortal((url, response) => {
        const asked = url.searchParams
        if (url.pathname === path)
          return sendJson(response, {
            name: 'Trees',
            maxRecordCount: 2000,
            objectIdField: 'OBJECTID',
            advancedQueryCapabilities: { supportsPagination: paging },
            fields: [{ name: 'OBJECTID', type: 'esriFieldTypeOID', alias: '' }],
          })
        if (asked.get('returnCountOnly') === 'true') return sendJson(response, { count: 502 })
        const after = Number(/OBJECTID > (\d+)/.exec(asked.get('where') ?? '')?.[1] ?? 0)
        const from = paging ? Number(asked.get('resultOffset')) : after
        return sendJson(response, { features: features.slice(from, from + 500) })
      })
      const portal = await connectPortal(origin + path)
      const { rows } = await portal.read(origin + path)
      expect(rows).toHaveLength(502)
    },
  )

  test('DCAT: a single distribution instead of a list, a publisher as plain text, a date with only a month, no identifier', async () => {
    const { origin } = await serve({
      '/data.json': (at) => ({
        dataset: [
          {
            '@id': `${at}/set/1`,
            title: { en: 'Benches', fr: 'Bancs' },
            publisher: 'Parcs',
            modified: '2026-05',
            license: [`https://creativecommons.org/licenses/by/4.0/`],
            distribution: { mediaType: 'text/csv; charset=utf-8', downloadURL: `${at}/b.csv` },
          },
          { title: 'Nothing to read' },
        ],
      }),
      '/b.csv': () => 'park\tbenches\n"Mill, upper"\t4\n',
    })
    const portal = await connectPortal(origin, 'fr-CA')
    const { datasets } = await portal.search()
    expect(datasets).toEqual([expect.objectContaining({ title: 'Bancs', updatedAt: '2026-05-01T00:00:00.000Z' })])
    const facts = await portal.describe(datasets[0]?.id ?? '')
    expect(facts).toMatchObject({ publisher: 'Parcs', licenceUrl: 'https://creativecommons.org/licenses/by/4.0/' })
    expect((await portal.read(facts.id)).rows).toEqual([{ park: 'Mill, upper', benches: '4' }])
  })

  test('Atom news of an OpenCities website: links in attributes, text in several kinds of element', async () => {
    const { origin } = await serve({
      '/news.atom': () =>
        '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title type="html">Roads &amp;amp; bridges</title><link href="https://city.example/n/1"/><updated>2026-11-03T10:00:00Z</updated><summary>Shut <![CDATA[<b>today</b>]]></summary></entry></feed>',
    })
    const portal = await connectPortal(`${origin}/news.atom`)
    expect(portal.kind).toBe('rss')
    expect((await portal.read(`${origin}/news.atom`)).rows).toEqual([
      { title: 'Roads & bridges', link: 'https://city.example/n/1', published: '2026-11-03T10:00:00.000Z', description: 'Shut today' },
    ])
  })

  test('ArcGIS Hub: a dataset that is a document, a licence full of markup, and a date in milliseconds', async () => {
    const layer = '/server/rest/services/Roads/FeatureServer/2'
    const { origin } = await serve({
      '/api/search/v1/collections/dataset/items': (at) => ({
        type: 'FeatureCollection',
        features: [
          { properties: { title: 'A report', url: `${at}/report.pdf` } },
          { properties: null },
          {
            properties: {
              title: 'Routes',
              description: '<div>Routes <b>municipales</b></div>',
              licenseInfo: '<span>Licence <a href="x">ouverte</a></span>',
              modified: 1_790_000_000_000,
              url: `${at}${layer}`,
            },
          },
        ],
      }),
    })
    const portal = await connectPortal(`${origin}/maps/x`, 'fr-CA')
    expect(portal.kind).toBe('arcgis-hub')
    expect(await portal.search()).toMatchObject({
      total: 1,
      datasets: [{ id: `${origin}${layer}`, title: 'Routes', description: 'Routes municipales', licence: 'Licence ouverte' }],
    })
  })

  test('OGC API Features: collections without a title or a count, links that are not a list, features without a geometry', async () => {
    const { origin } = await serve({
      '/ogc/collections': () => ({
        collections: [{ id: 'ponts', description: null, links: { rel: 'license', title: 'OGL' } }, { title: 'x' }],
      }),
      '/ogc/collections/ponts': () => ({ id: 'ponts', links: null }),
      '/ogc/collections/ponts/items': () => ({
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', properties: { nom: 'Pont neuf', 'construit le': '14/07/1898', tags: ['a', 'b'] }, geometry: null },
          { type: 'Feature', properties: null },
        ],
      }),
    })
    const portal = await connectPortal(`${origin}/ogc`, 'fr-CA')
    expect((await portal.search()).datasets).toEqual([expect.objectContaining({ id: 'ponts', title: 'ponts', licence: 'OGL' })])
    const facts = await portal.describe('ponts')
    expect(facts).toMatchObject({ licence: '', licenceUrl: null, rows: null })
    const { rows } = await portal.read('ponts')
    expect(rows.map((row) => portal.cells(facts, row))).toEqual([['Pont neuf', '1898-07-14', 'a, b', null], [null, null, null, null]]) // prettier-ignore
  })

  test('CSV: Windows-1252, semicolons, French dates and numbers, unnamed columns and short lines', async () => {
    const table = 'Été;;Montant;Montant\n1er août 2026;x;1 234,5;2\n;;12,00 $\n'
    const { origin } = await servePortal((_, response) =>
      response.writeHead(200, { 'content-type': 'text/csv' }).end(Buffer.from(table, 'latin1')),
    )
    const portal = await connectPortal(`${origin}/budget.csv`, 'fr-CA')
    const facts = await portal.describe(`${origin}/budget.csv`)
    expect(facts).toMatchObject({ licence: '', licenceUrl: null, updatedAt: null })
    expect(mapColumnTypes(facts)).toEqual({ Été: 'date', 'column 2': 'text', Montant: 'number', 'Montant 2': 'number' })
    const { rows } = await portal.read(`${origin}/budget.csv`)
    expect(rows.map((row) => portal.cells(facts, row))).toEqual([['2026-08-01', 'x', 1234.5, 2], [null, null, 12, null]]) // prettier-ignore
  })

  test('JSON and GeoJSON: a list inside an object, objects inside rows, a shape instead of a point, and no data at all', async () => {
    const { origin } = await serve({
      '/list.json': () => ({
        meta: { count: 2, tags: [] },
        data: { rows: [{ nom: 'A', lieu: { ville: 'X' }, tags: [1, 2] }, { nom: null }] },
      }),
      '/shapes.geojson': () => ({
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', properties: { n: 1 }, geometry: { type: 'LineString', coordinates: [[2, 48], [4, 50]] } }, // prettier-ignore
          { type: 'Feature', properties: { n: 2 }, geometry: { type: 'Point', coordinates: [] } },
        ],
      }),
      '/empty.geojson': () => ({ type: 'FeatureCollection', features: [] }),
    })
    const list = await connectPortal(`${origin}/list.json`)
    expect((await list.read(`${origin}/list.json`)).rows).toEqual([{ nom: 'A', 'lieu.ville': 'X', tags: '1, 2' }, { nom: null }])
    const shapes = await connectPortal(`${origin}/shapes.geojson`)
    const facts = await shapes.describe(`${origin}/shapes.geojson`)
    const { rows } = await shapes.read(`${origin}/shapes.geojson`)
    expect(rows.map((row) => shapes.cells(facts, row))).toEqual([[1, [3, 49]], [2, null]]) // prettier-ignore
    await expect(connectPortal(`${origin}/empty.geojson`)).rejects.toMatchObject({ code: 'portal-unknown-kind' })
  })
})

describe('a DCAT catalogue', () => {
  const describe3 = (
    identifier: string,
    file: object | null = { downloadURL: `https://city.example/${identifier}.csv`, mediaType: 'text/csv' },
  ) => ({
    '@type': 'Dataset',
    identifier,
    title: identifier,
    distribution: file ? [file] : [],
  })

  test('lists the datasets of the catalogues, series and services in it, each once', async () => {
    const series = { '@type': 'DatasetSeries', title: 'Reports', seriesMember: [describe3('2023'), describe3('2024'), describe3('top')] }
    const service = { '@type': 'DataService', title: 'API', servesDataset: [describe3('served'), { '@id': 'https://city.example/top' }] }
    const inner = {
      '@type': 'Catalog',
      dataset: [describe3('inner')],
      catalog: [{ '@type': 'Catalog', dataset: [describe3('innermost', null)] }],
    }
    const { origin } = await serve({
      '/data.json': () => ({
        '@type': 'Catalog',
        title: 'City',
        dataset: [describe3('top')],
        catalog: [inner],
        datasetSeries: [series],
        service: [service],
      }),
    })
    const { datasets, leftOut } = await (await connectPortal(`${origin}/data.json`)).search()
    expect(datasets.map(({ id }) => id).toSorted()).toEqual(['2023', '2024', 'inner', 'served', 'top'])
    expect(leftOut).toEqual({ of: 'catalogue', withoutTable: 1, beyond: 0 })
  })

  test('does not offer the address of a map service as a table', async () => {
    const layer = {
      accessURL: 'https://gis.city.example/arcgis/rest/services/Trees/FeatureServer/0',
      format: 'ArcGIS GeoServices REST API',
      mediaType: 'application/json',
    }
    const { origin } = await serve({ '/data.json': () => ({ dataset: [describe3('trees', layer)] }) })
    expect(await (await connectPortal(`${origin}/data.json`)).search()).toMatchObject({ datasets: [], leftOut: { withoutTable: 1 } })
  })
})
