/**
 * Kinds of data source, in the order they are tried on an address: those easily mistaken for another come later. `file` is a folder of the
 * product itself under `public/demo` and needs no network.
 */
export const PORTAL_KINDS = [
  'arcgis',
  'csv',
  'geojson',
  'rss',
  'ckan',
  'socrata',
  'opendatasoft',
  'arcgis-hub',
  'ogc',
  'dcat',
  'json',
  'file',
] as const
export type PortalKind = (typeof PORTAL_KINDS)[number]
