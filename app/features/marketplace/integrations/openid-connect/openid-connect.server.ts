import type { Integration } from '../integration.server.ts'
import { openIdConnect } from './manifest.ts'

/** Listed here but set up on its own screens: a site may have several providers. */
export const openIdConnectIntegration: Integration = { manifest: openIdConnect }
