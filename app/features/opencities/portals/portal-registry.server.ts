import type { PortalKind } from '#app/lib/vocabulary/opencities.ts'
import { arcgisPortal, hubPortal } from './arcgis.server.ts'
import { ckanPortal } from './ckan.server.ts'
import { dcatPortal } from './dcat.server.ts'
import { demoFolderPortal } from './demo-folder.server.ts'
import { ogcPortal } from './ogc.server.ts'
import { opendatasoftPortal } from './opendatasoft.server.ts'
import { createFilePortal } from './plain-file.server.ts'
import type { Portal } from './portal.server.ts'
import { socrataPortal } from './socrata.server.ts'

export const PORTALS: Record<PortalKind, Portal> = {
  csv: createFilePortal('csv'),
  geojson: createFilePortal('geojson'),
  rss: createFilePortal('rss'),
  arcgis: arcgisPortal,
  ckan: ckanPortal,
  socrata: socrataPortal,
  opendatasoft: opendatasoftPortal,
  'arcgis-hub': hubPortal,
  ogc: ogcPortal,
  dcat: dcatPortal,
  json: createFilePortal('json'),
  file: demoFolderPortal,
}
