import type { Integration } from '../integration.server.ts'
import { intercom } from './manifest.ts'

/** Started by the pages themselves, with these settings instead of the installation's. */
export const intercomIntegration: Integration = { manifest: intercom }
