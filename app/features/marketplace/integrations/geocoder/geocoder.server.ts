import { type GeocodedAddress, type GeocodeQuestion, type Integration, ProviderFault, type Service } from '../integration.server.ts'
import { GEOCODER_KINDS } from './geocoder-kinds.server.ts'
import { geocoder, type GeocoderKind } from './manifest.ts'

/** People wait for it. */
const WITHIN_MS = 2500
/** Any place on earth: a test asks only whether the service answers. */
const ANYWHERE = { text: '1 Main Street', box: [-180, -90, 180, 90], language: 'en' } as const

/** Asks a site's own address service. The query, which people have typed, stays out of the log. */
export const geocoderIntegration: Integration = {
  manifest: geocoder,
  check: async (service) => {
    await askGeocoder(service, ANYWHERE, 'check')
  },
  geocoder: {
    findAttribution: ({ attribution }) => String(attribution),
    search: (service, question) => {
      const { town } = service.settings
      return askGeocoder(service, town ? { ...question, text: `${question.text}, ${String(town)}` } : question, 'search')
    },
  },
}

async function askGeocoder(service: Service, question: GeocodeQuestion, operation: 'check' | 'search'): Promise<GeocodedAddress[]> {
  const { kind, address, key } = service.settings
  const { path, buildQuery, parse } = GEOCODER_KINDS[kind as GeocoderKind]
  const base = String(address).replace(/\/+$/, '')
  const query = new URLSearchParams(buildQuery(question, key === undefined ? undefined : String(key)))
  const url = new URL(base)
  const { body } = await service.sendRequest({
    operation,
    url: `${base}${path}?${query.toString()}`,
    target: `${url.host}${url.pathname.replace(/\/+$/, '')}${path}`,
    withinMs: WITHIN_MS,
  })
  // ArcGIS refuses with status 200.
  const refusal = (body as { error?: { code?: unknown } } | null)?.error
  if (kind === 'arcgis' && refusal) throw new ProviderFault('provider-refused', `answer 200 with error ${String(refusal.code)}`)
  const found = parse(body)
  if (!found) throw new ProviderFault('provider-not-understood', 'no addresses in the answer')
  return found
}
