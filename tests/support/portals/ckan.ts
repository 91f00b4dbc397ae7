import { sendNotFound, type PortalServer, sendJson, servePortal } from './serve.ts'

/** A typical Canadian city's CKAN portal: French texts, HTML in notes, a missing licence, a list where an object is documented. */
export function serveCkan(rows: number): Promise<PortalServer> {
  const resource = {
    id: 'aaaa-1',
    package_id: 'arbres',
    name: 'Arbres publics',
    format: 'CSV',
    url: 'https://donnees.example/arbres.csv',
    datastore_active: true,
    last_modified: '2026-10-02T08:15:00.123456',
  }
  const dataset = {
    id: 'p1',
    name: 'arbres',
    title: 'Arbres de la ville',
    notes: '<p>Inventaire des <b>arbres</b> publics &amp; des parcs.</p><script>alert(1)</script>',
    license_title: null,
    license_id: '',
    organization: [],
    author: 'Service des parcs',
    language: 'FR',
    metadata_modified: '2026-09-01T00:00:00',
    resources: [resource, { id: 'bbbb-2', name: 'Guide', format: 'PDF', url: 'https://donnees.example/guide.pdf' }],
  }
  const row = (index: number) => ({
    _id: index + 1,
    Essence: index % 2 ? 'Érable' : 'Chêne',
    DHP: `${10 + index},5`,
    Date_Plantation: '14/05/2019',
    Rang: index,
  })
  return servePortal((url, response) => {
    const ok = (result: unknown) => sendJson(response, { help: 'https://…', success: true, result })
    const number = (name: string, otherwise: number) => Number(url.searchParams.get(name) ?? otherwise)
    switch (url.pathname.replace('/api/3/action/', '')) {
      case 'status_show':
        return ok({ ckan_version: '2.10.4', site_title: 'Données ouvertes' })
      case 'package_search':
        return ok({ count: 1, results: url.searchParams.get('q')?.includes('neige') ? [] : [dataset] })
      case 'resource_show':
        return url.searchParams.get('id') === resource.id
          ? ok(resource)
          : sendJson(response, { success: false, error: { __type: 'Not Found Error' } }, 404)
      case 'package_show':
        return ok(dataset)
      case 'datastore_search': {
        const [offset, limit] = [number('offset', 0), Math.min(number('limit', 100), 2000)]
        return ok({
          total: rows,
          records: Array.from({ length: Math.max(0, Math.min(limit, rows - offset)) }, (_, index) => row(offset + index)),
          fields: [
            { id: '_id', type: 'int' },
            { id: 'Essence', type: 'text', info: { label: 'Essence' } },
            { id: 'DHP', type: 'text', info: { label: 'Diamètre (cm)' } },
            { id: 'Date_Plantation', type: 'text' },
            { id: 'Rang', type: 'numeric' },
          ],
          _links: { start: '/api/3/action/datastore_search' },
        })
      }
      default:
        return sendNotFound(response)
    }
  })
}
