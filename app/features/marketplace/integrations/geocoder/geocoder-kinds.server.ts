import * as v from 'valibot'
import type { GeocodedAddress, GeocodeQuestion } from '../integration.server.ts'
import type { GeocoderKind } from './manifest.ts'

/** How one kind of service is asked, and what it answers. */
interface Kind {
  /** Below the address of the service. */
  path: string
  buildQuery: (question: GeocodeQuestion, key: string | undefined) => Record<string, string>
  /** Undefined if the answer is not in the documented form. */
  parse: (body: unknown) => GeocodedAddress[] | undefined
}

const MAX_ADDRESSES = 8
const MAX_LABEL_LETTERS = 200

const longitude = v.pipe(v.number(), v.minValue(-180), v.maxValue(180))
const latitude = v.pipe(v.number(), v.minValue(-90), v.maxValue(90))
const label = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1),
  v.transform((text) => text.slice(0, MAX_LABEL_LETTERS)),
)

/** https://developers.arcgis.com/rest/services-reference/enterprise/find-address-candidates/ */
const arcgisSchema = v.object({
  candidates: v.array(v.object({ address: label, location: v.object({ x: longitude, y: latitude }) })),
})

/** GeocodeJSON and GeoJSON: https://github.com/pelias/documentation/blob/master/autocomplete.md, https://addok.readthedocs.io/en/latest/api/ */
const geoJsonSchema = v.object({
  type: v.literal('FeatureCollection'),
  features: v.array(
    v.object({
      properties: v.object({ label }),
      geometry: v.object({ type: v.literal('Point'), coordinates: v.looseTuple([longitude, latitude]) }),
    }),
  ),
})

/** https://docs.os.uk/os-apis/accessing-os-apis/os-places-api: `results` is absent if there are none. */
const osPlacesSchema = v.object({
  header: v.object({ totalresults: v.number() }),
  results: v.optional(v.array(v.object({ DPA: v.object({ ADDRESS: label, LNG: longitude, LAT: latitude }) })), []),
})

function parseGeoJson(body: unknown): GeocodedAddress[] | undefined {
  const read = v.safeParse(geoJsonSchema, body)
  return read.success
    ? read.output.features.map(({ properties, geometry: { coordinates } }) => ({
        label: properties.label,
        point: [coordinates[0], coordinates[1]],
      }))
    : undefined
}

export const GEOCODER_KINDS: Readonly<Record<GeocoderKind, Kind>> = {
  arcgis: {
    path: '/findAddressCandidates',
    buildQuery: ({ text, box: [xmin, ymin, xmax, ymax], language }, key) => ({
      f: 'json',
      SingleLine: text,
      outSR: '4326',
      searchExtent: JSON.stringify({ xmin, ymin, xmax, ymax, spatialReference: { wkid: 4326 } }),
      maxLocations: String(MAX_ADDRESSES),
      langCode: language.slice(0, 2),
      ...(key && { token: key }),
    }),
    parse: (body) => {
      const read = v.safeParse(arcgisSchema, body)
      return read.success ? read.output.candidates.map(({ address, location: { x, y } }) => ({ label: address, point: [x, y] })) : undefined
    },
  },
  pelias: {
    path: '/v1/autocomplete',
    buildQuery: ({ text, box: [west, south, east, north], language }, key) => ({
      text,
      size: String(MAX_ADDRESSES),
      lang: language.slice(0, 2),
      'boundary.rect.min_lon': String(west),
      'boundary.rect.min_lat': String(south),
      'boundary.rect.max_lon': String(east),
      'boundary.rect.max_lat': String(north),
      ...(key && { api_key: key }),
    }),
    parse: parseGeoJson,
  },
  addok: {
    path: '/search/',
    buildQuery: ({ text, box: [west, south, east, north] }) => ({
      q: text,
      limit: String(MAX_ADDRESSES),
      autocomplete: '1',
      lat: String((south + north) / 2),
      lon: String((west + east) / 2),
    }),
    parse: parseGeoJson,
  },
  'os-places': {
    path: '/search/places/v1/find',
    buildQuery: ({ text }, key) => ({
      query: text,
      maxresults: String(MAX_ADDRESSES),
      dataset: 'DPA',
      output_srs: 'EPSG:4326',
      ...(key && { key }),
    }),
    parse: (body) => {
      const read = v.safeParse(osPlacesSchema, body)
      return read.success ? read.output.results.map(({ DPA: { ADDRESS, LNG, LAT } }) => ({ label: ADDRESS, point: [LNG, LAT] })) : undefined
    },
  },
}
