import { sendNotFound, type PortalServer, sendJson, servePortal } from './serve.ts'

const FEATURES = {
  type: 'FeatureCollection',
  links: [{ rel: 'self', href: '/x' }],
  features: Array.from({ length: 3 }, (_, index) => ({
    type: 'Feature',
    properties: { name: `Park ${index}`, facts: { benches: index }, tags: ['green', 'quiet'] },
    geometry: { type: 'Polygon', coordinates: [[[-4, 51], [-4, 52], [-3, 52], [-3, 51], [-4, 51]]] },
  })),
} // prettier-ignore

const CSV = 'name;visitors\nEast;1 200\nWest;900\n'

/** Sources that are files: catalogues in both kinds of DCAT, GeoJSON, plain JSON, news, and collections of OGC API Features. */
export function serveCatalogues(): Promise<PortalServer> {
  return servePortal((url, response, request) => {
    const origin = `http://${request.headers.host}`
    switch (url.pathname) {
      case '/data.json':
        return sendJson(response, {
          conformsTo: 'https://project-open-data.cio.gov/v1.1/schema',
          dataset: [
            {
              '@type': 'dcat:Dataset',
              identifier: 'museums-1',
              title: 'Museum visitors',
              description: '<b>By year</b>',
              modified: '2026-05-01',
              license: 'https://creativecommons.org/licenses/by/4.0/',
              publisher: { name: 'Culture' },
              distribution: [
                { mediaType: 'application/pdf', downloadURL: `${origin}/x.pdf` },
                { mediaType: 'text/csv', downloadURL: `${origin}/museums.csv` },
              ],
            },
            { identifier: 'no-table', title: 'A report', distribution: [] },
          ],
        })
      case '/catalog.jsonld':
        return sendJson(response, {
          '@context': { dct: 'http://purl.org/dc/terms/', dcat: 'http://www.w3.org/ns/dcat#' },
          '@graph': [
            { '@id': `${origin}/cat`, '@type': 'dcat:Catalog', 'dct:title': 'Catalogue', 'dcat:dataset': { '@id': `${origin}/d/1` } },
            {
              '@id': `${origin}/d/1`,
              '@type': ['dcat:Dataset'],
              'dct:identifier': 'parcs',
              'dct:title': [
                { '@language': 'en', '@value': 'Parks' },
                { '@language': 'fr', '@value': 'Parcs' },
              ],
              'dct:publisher': { '@id': '_:b1' },
              'dcat:distribution': { '@id': `${origin}/dist/1` },
            },
            { '@id': '_:b1', '@type': 'foaf:Agent', 'foaf:name': 'Ville' },
            {
              '@id': `${origin}/dist/1`,
              '@type': 'dcat:Distribution',
              'dcat:downloadURL': { '@id': `${origin}/parks.geojson` },
              'dct:format': { '@id': 'http://publications.europa.eu/resource/authority/file-type/GEOJSON' },
              'dct:license': { '@id': 'https://creativecommons.org/publicdomain/zero/1.0/' },
            },
          ],
        })
      case '/museums.csv':
        // Windows-1252 without saying so.
        return void response.writeHead(200, { 'content-type': 'text/csv' }).end(Buffer.from(`${CSV}Musée;7\n`, 'latin1'))
      case '/parks.geojson':
        return void response.writeHead(200, { 'content-type': 'application/geo+json' }).end(JSON.stringify(FEATURES))
      case '/list.json':
        return sendJson(response, {
          meta: { page: 1, tags: ['a'] },
          results: [
            { id: 1, name: 'Brace } in "text"' },
            { id: 2, name: 'Two' },
          ],
        })
      case '/news.xml':
        return void response.writeHead(200, { 'content-type': 'application/rss+xml' })
          .end(`<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
          <item><title><![CDATA[Bridge <b>open</b>]]></title><link>https://city.example/1</link><pubDate>Tue, 03 Nov 2026 10:00:00 GMT</pubDate><description>It &amp; the road</description></item>
          <item><title>Pool closed</title><link>https://city.example/2</link><pubDate>soon</pubDate></item></channel></rss>`)
      case '/ogc/collections':
        return sendJson(response, {
          links: [],
          collections: [
            {
              id: 'parks',
              title: 'Parks',
              description: 'Green places',
              links: [{ rel: 'license', title: 'OGL', href: 'https://ogl.example' }],
            },
          ],
        })
      case '/ogc/collections/parks':
        return sendJson(response, { id: 'parks', title: 'Parks', links: [] })
      case '/ogc/collections/parks/items': {
        const page = Number(url.searchParams.get('page') ?? 0)
        const links = page < 2 ? [{ rel: 'next', href: `/ogc/collections/parks/items?page=${page + 1}` }] : []
        return sendJson(response, { ...FEATURES, numberMatched: 9, links })
      }
      default:
        return sendNotFound(response)
    }
  })
}
