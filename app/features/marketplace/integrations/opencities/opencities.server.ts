import type { Integration } from '../integration.server.ts'
import { openCities } from './manifest.ts'

/** Listed here but set up on its own screens: each portal is a connector. */
export const openCitiesIntegration: Integration = { manifest: openCities, check: () => Promise.resolve() }
