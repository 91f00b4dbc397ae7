import { expect, test } from 'vitest'
import { GEOCODER_KINDS } from './geocoder-kinds.server.ts'
import type { GeocoderKind } from './manifest.ts'

/** Whole answers with every field that each service documents, written by hand after its documentation, and what is read of them. */
const DOCUMENTED: readonly [string, GeocoderKind, unknown, { label: string; point: [number, number] }[]][] = [
  [
    // https://developers.arcgis.com/rest/geocode/response-types/
    'findAddressCandidates',
    'arcgis',
    {
      spatialReference: { wkid: 4326, latestWkid: 4326 },
      candidates: [
        {
          address: '12 Weaver Street, Cornwall, Ontario, K6J 1A1',
          location: { x: -74.72816301, y: 45.01977799 },
          score: 98.6,
          attributes: {
            Loc_name: 'World',
            Status: 'M',
            Score: 98.6,
            Match_addr: '12 Weaver Street, Cornwall, Ontario, K6J 1A1',
            LongLabel: '12 Weaver Street, Cornwall, ON, K6J 1A1, CAN',
            ShortLabel: '12 Weaver Street',
            Addr_type: 'PointAddress',
            PlaceName: '',
            AddNum: '12',
            StName: 'Weaver',
            StType: 'Street',
            City: 'Cornwall',
            Region: 'Ontario',
            Postal: 'K6J 1A1',
            Country: 'CAN',
            X: -74.7282,
            Y: 45.0198,
            Xmin: -74.729163,
          },
          extent: { xmin: -74.729163, ymin: 45.018778, xmax: -74.727163, ymax: 45.020778 },
        },
      ],
    },
    [{ label: '12 Weaver Street, Cornwall, Ontario, K6J 1A1', point: [-74.72816301, 45.01977799] }],
  ],
  ['findAddressCandidates without results', 'arcgis', { spatialReference: { wkid: 4326, latestWkid: 4326 }, candidates: [] }, []],
  [
    // https://github.com/pelias/documentation/blob/master/response.md and autocomplete.md
    'autocomplete',
    'pelias',
    {
      geocoding: {
        version: '0.2',
        attribution: 'https://geocoder.example/attribution',
        query: {
          text: '12 weaver st',
          parser: 'pelias',
          parsed_text: { subject: '12 weaver st', housenumber: '12', street: 'weaver st' },
          size: 8,
          layers: ['venue', 'street', 'address'],
          private: false,
          'boundary.rect.min_lat': 45,
          lang: { name: 'English', iso6391: 'en', iso6393: 'eng', defaulted: false },
          querySize: 20,
        },
        warnings: ['performance optimization: excluding some layers'],
        engine: { name: 'Pelias', author: 'Mapzen', version: '1.0' },
        timestamp: 1_700_000_000_000,
      },
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [-74.728163, 45.019778] },
          properties: {
            id: 'ca/on/united_counties:1a2b',
            gid: 'openaddresses:address:ca/on/united_counties:1a2b',
            layer: 'address',
            source: 'openaddresses',
            source_id: 'ca/on/united_counties:1a2b',
            name: '12 Weaver Street',
            housenumber: '12',
            street: 'Weaver Street',
            accuracy: 'point',
            country: 'Canada',
            country_gid: 'whosonfirst:country:85633041',
            region: 'Ontario',
            region_a: 'ON',
            locality: 'Cornwall',
            label: '12 Weaver Street, Cornwall, ON, Canada',
          },
        },
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [-74.73, 45.02] },
          bbox: [-74.74, 45.01, -74.72, 45.03],
          properties: { gid: 'whosonfirst:locality:1', layer: 'locality', name: 'Cornwall', label: 'Cornwall, ON, Canada' },
        },
      ],
      bbox: [-74.73, 45.019778, -74.728163, 45.02],
    },
    [
      { label: '12 Weaver Street, Cornwall, ON, Canada', point: [-74.728163, 45.019778] },
      { label: 'Cornwall, ON, Canada', point: [-74.73, 45.02] },
    ],
  ],
  [
    // https://addok.readthedocs.io/en/latest/api/
    'search, as GeocodeJSON',
    'addok',
    {
      type: 'FeatureCollection',
      version: 'draft',
      features: [
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [2.290084, 49.897443] },
          properties: {
            label: '8 Boulevard du Port 80000 Amiens',
            score: 0.49159,
            housenumber: '8',
            id: '80021_6590_00008',
            name: '8 Boulevard du Port',
            postcode: '80000',
            citycode: '80021',
            x: 648_952.58,
            y: 6_977_867.14,
            city: 'Amiens',
            context: '80, Somme, Hauts-de-France',
            type: 'housenumber',
            importance: 0.6706,
            street: 'Boulevard du Port',
            distance: 12,
          },
        },
      ],
      attribution: 'BAN',
      licence: 'ETALAB-2.0',
      query: '8 bd du port',
      center: [2.29, 49.89],
      filters: { type: 'housenumber' },
      limit: 8,
    },
    [{ label: '8 Boulevard du Port 80000 Amiens', point: [2.290084, 49.897443] }],
  ],
  [
    // https://docs.os.uk/os-apis/accessing-os-apis/os-places-api/technical-specification/find
    'find, with positions in degrees',
    'os-places',
    {
      header: {
        uri: 'https://api.os.uk/search/places/v1/find?query=4%20weaver%20street&maxresults=8&dataset=DPA&output_srs=EPSG%3A4326',
        query: 'query=4 weaver street',
        offset: 0,
        totalresults: 1,
        format: 'JSON',
        dataset: 'DPA',
        lr: 'EN,CY',
        maxresults: 8,
        matchprecision: 1,
        epoch: '112',
        lastupdate: '2026-11-20',
        output_srs: 'EPSG:4326',
      },
      results: [
        {
          DPA: {
            UPRN: '200010019924',
            UDPRN: '52126562',
            ADDRESS: 'LIBRARY, 4, WEAVER STREET, PORT TALBOT, SA12 6AA',
            ORGANISATION_NAME: 'LIBRARY',
            BUILDING_NUMBER: '4',
            THOROUGHFARE_NAME: 'WEAVER STREET',
            POST_TOWN: 'PORT TALBOT',
            POSTCODE: 'SA12 6AA',
            RPC: '2',
            X_COORDINATE: 276_318,
            Y_COORDINATE: 190_539,
            LNG: -3.7878,
            LAT: 51.5976,
            STATUS: 'APPROVED',
            LOGICAL_STATUS_CODE: '1',
            CLASSIFICATION_CODE: 'CC04',
            LANGUAGE: 'EN',
            MATCH: 0.9,
            MATCH_DESCRIPTION: 'EXACT',
          },
        },
      ],
    },
    [{ label: 'LIBRARY, 4, WEAVER STREET, PORT TALBOT, SA12 6AA', point: [-3.7878, 51.5976] }],
  ],
]

test.each(DOCUMENTED)('%s (%s) is read as it is documented', (_, kind, answer, found) => {
  expect(GEOCODER_KINDS[kind].parse(answer)).toEqual(found)
})

test('positions of OS Places on the National Grid, as without `output_srs`, are not taken for degrees', () => {
  const { parse, buildQuery } = GEOCODER_KINDS['os-places']
  const onGrid = {
    header: { totalresults: 1 },
    results: [{ DPA: { ADDRESS: '4, WEAVER STREET', X_COORDINATE: 276_318, Y_COORDINATE: 190_539 } }],
  }
  expect(parse(onGrid)).toBeUndefined()
  expect(buildQuery({ text: '4 weaver street', box: [-4, 51, -3, 52], language: 'cy' }, 'key')).toMatchObject({ output_srs: 'EPSG:4326' })
})
