import type { PortalKind } from '../opencities.schema.ts'
import { arcgisPortal, hubPortal } from './arcgis.server.ts'
import { ckanPortal } from './ckan.server.ts'
import { dcatPortal } from './dcat.server.ts'
import { filePortal } from './file.server.ts'
import { ogcPortal } from './ogc.server.ts'
import { opendatasoftPortal } from './opendatasoft.server.ts'
import { plainFile } from './plain-file.server.ts'
import type { Portal } from './portal.server.ts'
import { socrataPortal } from './socrata.server.ts'

/** What reads each kind of portal. */
export const PORTALS: Record<PortalKind, Portal> = {
  csv: plainFile('csv'),
  geojson: plainFile('geojson'),
  rss: plainFile('rss'),
  arcgis: arcgisPortal,
  ckan: ckanPortal,
  socrata: socrataPortal,
  opendatasoft: opendatasoftPortal,
  'arcgis-hub': hubPortal,
  ogc: ogcPortal,
  dcat: dcatPortal,
  json: plainFile('json'),
  file: filePortal,
}
