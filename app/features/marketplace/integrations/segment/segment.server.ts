import type { Integration } from '../integration.server.ts'
import { segment } from './manifest.ts'

/** Loaded by pages, with these settings instead of the installation's. */
export const segmentIntegration: Integration = { manifest: segment }
