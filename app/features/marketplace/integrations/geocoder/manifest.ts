import * as v from 'valibot'
import type { FieldWords, Manifest } from '../../marketplace.schema.ts'

export const GEOCODERS = ['arcgis', 'pelias', 'addok', 'os-places'] as const
export type GeocoderKind = (typeof GEOCODERS)[number]

const lineSchema = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200))

export const geocoder = {
  id: 'geocoder',
  name: { en: 'Geocoder', 'fr-CA': 'Géocodeur', cy: 'Geogodydd' },
  category: 'data',
  does: {
    en: 'Finds house numbers in the search of your maps, with your own address service: ArcGIS, Pelias, Addok or OS Places. Streets and areas are found without it.',
    'fr-CA':
      'Trouve les numéros de maison dans la recherche de vos cartes, avec votre propre service d’adresses : ArcGIS, Pelias, Addok ou OS Places. Les rues et les secteurs se trouvent sans lui.',
    cy: 'Mae’n dod o hyd i rifau tai yn chwiliad eich mapiau, gyda’ch gwasanaeth cyfeiriadau eich hun: ArcGIS, Pelias, Addok neu OS Places. Ceir hyd i strydoedd ac ardaloedd hebddo.',
  },
  leaves: [
    {
      en: 'What people type into the search of a map, and the box around your areas, to this service. Not who they are, and not their network address.',
      'fr-CA':
        'Ce que les gens tapent dans la recherche d’une carte, et le cadre autour de vos secteurs, vers ce service. Ni leur identité ni leur adresse réseau.',
      cy: 'Yr hyn y mae pobl yn ei deipio i chwiliad map, a’r blwch o amgylch eich ardaloedd, i’r gwasanaeth hwn. Nid pwy ydynt, na’u cyfeiriad rhwydwaith.',
    },
  ],
  settings: v.object({
    kind: v.pipe(
      v.picklist(GEOCODERS),
      v.metadata({
        label: { en: 'Kind of service', 'fr-CA': 'Type de service', cy: 'Math o wasanaeth' },
        choices: {
          arcgis: { en: 'ArcGIS (GeocodeServer)', 'fr-CA': 'ArcGIS (GeocodeServer)', cy: 'ArcGIS (GeocodeServer)' },
          pelias: { en: 'Pelias', 'fr-CA': 'Pelias', cy: 'Pelias' },
          addok: { en: 'Addok', 'fr-CA': 'Addok', cy: 'Addok' },
          'os-places': { en: 'OS Places', 'fr-CA': 'OS Places', cy: 'OS Places' },
        },
        destination: true,
      } satisfies FieldWords),
    ),
    address: v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(500),
      v.url(),
      v.regex(/^https?:\/\/[^?#]+$/i, 'wrong-format'),
      v.metadata({
        label: { en: 'Address of the service', 'fr-CA': 'Adresse du service', cy: 'Cyfeiriad y gwasanaeth' },
        hint: {
          en: 'Without what comes after it, such as https://gis.example.org/arcgis/rest/services/Locator/GeocodeServer or https://api.os.uk. Changing it asks for the key again.',
          'fr-CA':
            'Sans ce qui la suit, p. ex. https://sig.example.org/arcgis/rest/services/Locator/GeocodeServer ou https://api.os.uk. La modifier redemande la clé.',
          cy: 'Heb yr hyn sy’n ei ddilyn, megis https://gis.example.org/arcgis/rest/services/Locator/GeocodeServer neu https://api.os.uk. Bydd ei newid yn gofyn am yr allwedd eto.',
        },
        destination: true,
        reaches: 'web',
      } satisfies FieldWords),
    ),
    key: v.pipe(
      v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(2000))),
      v.metadata({
        label: { en: 'Key', 'fr-CA': 'Clé', cy: 'Allwedd' },
        hint: {
          en: 'The key or token that the service gave you, if it asks for one. Addok has none.',
          'fr-CA': 'La clé ou le jeton que le service vous a donné, s’il en demande. Addok n’en a pas.',
          cy: 'Yr allwedd neu’r tocyn a roddodd y gwasanaeth ichi, os yw’n gofyn am un. Nid oes gan Addok un.',
        },
        secret: true,
      } satisfies FieldWords),
    ),
    town: v.pipe(
      v.optional(lineSchema),
      v.metadata({
        label: { en: 'Added to each search', 'fr-CA': 'Ajouté à chaque recherche', cy: 'Ychwanegir at bob chwiliad' },
        hint: {
          en: 'Your town, for Addok and OS Places, which search the whole country. Places outside your areas are never shown.',
          'fr-CA':
            'Votre ville, pour Addok et OS Places, qui cherchent dans tout le pays. Les lieux hors de vos secteurs ne sont jamais montrés.',
          cy: 'Eich tref, ar gyfer Addok ac OS Places, sy’n chwilio’r wlad gyfan. Ni ddangosir lleoedd y tu allan i’ch ardaloedd.',
        },
      } satisfies FieldWords),
    ),
    attribution: v.pipe(
      lineSchema,
      v.metadata({
        label: {
          en: 'Source, as shown to people',
          'fr-CA': 'Source, telle que montrée au public',
          cy: 'Ffynhonnell, fel y’i dangosir i bobl',
        },
        hint: {
          en: 'What the licence of the addresses asks for, such as “© Crown copyright and database rights 2026 Ordnance Survey”.',
          'fr-CA': 'Ce que la licence des adresses demande, p. ex. « © Ville de Riverbend, licence ouverte ».',
          cy: 'Yr hyn y mae trwydded y cyfeiriadau yn gofyn amdano, megis “© Hawlfraint y Goron a hawliau cronfa ddata 2026 Arolwg Ordnans”.',
        },
      } satisfies FieldWords),
    ),
  }),
  capabilities: ['geocode'],
  feature: null,
} as const satisfies Manifest
