import type { PortalKind } from '../opencities.schema.ts'
import { csvPortal } from './csv.server.ts'
import { filePortal } from './file.server.ts'
import type { Portal } from './portal.server.ts'

/** Every kind of portal, in the order in which an address is tried: what is easily mistaken for another comes later. */
export const PORTALS: Record<PortalKind, Portal> = {
  csv: csvPortal,
  file: filePortal,
}
