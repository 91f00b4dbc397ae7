import type { Integration } from '../integration.server.ts'
import { intercom } from './manifest.ts'

/** Loaded by pages, with these settings instead of the installation's. */
export const intercomIntegration: Integration = { manifest: intercom }
