import { sendNotFound, type PortalServer, sendJson, servePortal } from './serve.ts'

/** A Socrata portal: omits nulls, returns numbers as text, and shuffles pages requested without an order. */
export function serveSocrata(
  rows: number,
  options: { soda3?: boolean; endless?: boolean; first?: () => number } = {},
): Promise<PortalServer> {
  // Permits are numbered from here.
  const { first = () => 0 } = options
  const row = (index: number) => ({
    permit: `P-${String(index).padStart(6, '0')}`,
    cost: String(index * 1.5),
    issued: '2026-03-04T00:00:00.000',
    ...(index % 3 ? { website: { url: `https://city.example/${index}`, description: 'Permit' } } : {}),
    where: { type: 'Point', coordinates: [-79.38 + index / 1e5, 43.65] },
  })
  const page = (offset: number, limit: number) =>
    Array.from({ length: Math.max(0, Math.min(limit, rows - offset)) }, (_, index) => row(first() + offset + index))
  return servePortal((url, response) => {
    const number = (name: string, otherwise: number) => Number(url.searchParams.get(name) ?? otherwise)
    if (url.pathname === '/api/catalog/v1') {
      return sendJson(response, {
        results: [
          {
            resource: {
              id: 'abcd-1234',
              name: 'Building permits',
              description: 'Issued permits',
              updatedAt: '2026-10-01T00:00:00.000Z',
              type: 'dataset',
            },
            metadata: { domain: 'data.city.example', license: 'Public Domain' },
            permalink: 'https://data.city.example/d/abcd-1234',
          },
        ],
        resultSetSize: 1,
      })
    }
    if (url.pathname === '/api/views/abcd-1234.json') {
      return sendJson(response, {
        id: 'abcd-1234',
        name: 'Building permits',
        attribution: 'City of Example',
        license: { name: 'Public Domain' },
        rowsUpdatedAt: 1_790_000_000,
        columns: [
          { fieldName: 'permit', name: 'Permit', dataTypeName: 'text', cachedContents: { count: String(rows) } },
          { fieldName: 'cost', name: 'Cost', dataTypeName: 'number' },
          { fieldName: 'issued', name: 'Issued', dataTypeName: 'calendar_date' },
          { fieldName: 'website', name: 'Website', dataTypeName: 'url' },
          { fieldName: 'where', name: 'Where', dataTypeName: 'point' },
          { fieldName: ':@computed_region_x', name: 'Region', dataTypeName: 'number' },
        ],
      })
    }
    if (url.pathname === '/resource/abcd-1234.json' && !options.soda3) {
      const found = page(options.endless ? 0 : number('$offset', 0), number('$limit', 1000))
      return sendJson(response, url.searchParams.get('$order') === ':id' ? found : found.toReversed())
    }
    if (url.pathname === '/api/v3/views/abcd-1234/query.json' && options.soda3) {
      const size = number('pageSize', 1000)
      return sendJson(response, page((number('pageNumber', 1) - 1) * size, size))
    }
    return sendNotFound(response)
  })
}
