import type { Integration } from '../integration.server.ts'
import { openCities } from './manifest.ts'

/** Listed here, set up on its own screens: each portal is a connector of its own. */
export const openCitiesIntegration: Integration = { manifest: openCities, check: () => Promise.resolve() }
