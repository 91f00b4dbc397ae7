import type { Integration } from '../integration.server.ts'
import { segment } from './manifest.ts'

/** Started by the pages themselves, with these settings instead of the installation's. */
export const segmentIntegration: Integration = { manifest: segment }
