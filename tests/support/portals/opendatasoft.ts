import { sendNotFound, type PortalServer, sendJson, servePortal } from './serve.ts'

const API = '/api/explore/v2.1/catalog/datasets'

/** An Opendatasoft portal: at most 100 records per request, none beyond the ten-thousandth; exports return all of them. */
export function serveOpendatasoft(rows: number): Promise<PortalServer> {
  const row = (index: number) => ({
    numero: index,
    nom: `Station ${index}`,
    ouverte: index % 2 === 0,
    geo: { lon: 2.35, lat: 48.85 },
    maj: '2026-11-01T10:00:00+00:00',
  })
  const dataset = {
    dataset_id: 'velos@ville',
    has_records: true,
    metas: {
      default: {
        title: 'Stations de vélos',
        description: '<p>Vélos en <em>libre-service</em></p>',
        license: 'Licence Ouverte v2.0',
        license_url: 'https://www.etalab.gouv.fr/licence-ouverte-open-licence',
        language: 'fr',
        publisher: 'Ville',
        modified: '2026-11-01T10:00:00+00:00',
        data_processed: '2026-11-02T10:00:00+00:00',
        records_count: rows,
      },
    },
    fields: [
      { name: 'numero', label: 'Numéro', type: 'int' },
      { name: 'nom', label: 'Nom', type: 'text' },
      { name: 'ouverte', label: 'Ouverte', type: 'boolean' },
      { name: 'geo', label: 'Lieu', type: 'geo_point_2d' },
      { name: 'maj', label: 'Mise à jour', type: 'datetime' },
    ],
  }
  return servePortal((url, response) => {
    if (url.pathname === API) return sendJson(response, { total_count: 1, results: [dataset] })
    if (url.pathname === `${API}/velos@ville`) return sendJson(response, dataset)
    if (url.pathname === `${API}/velos@ville/records`) {
      const [offset, limit] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name) ?? 0)) as [number, number]
      if (limit > 100 || offset + limit > 10_000) return sendJson(response, { error_code: 'InvalidRESTParameterError' }, 400)
      return sendJson(response, {
        total_count: rows,
        results: Array.from({ length: Math.max(0, Math.min(limit, rows - offset)) }, (_, index) => row(offset + index)),
      })
    }
    if (url.pathname === `${API}/velos@ville/exports/json`)
      return sendJson(
        response,
        Array.from({ length: rows }, (_, index) => row(index)),
      )
    return sendNotFound(response)
  })
}
