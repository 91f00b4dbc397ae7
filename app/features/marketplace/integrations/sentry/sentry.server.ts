import type { Integration } from '../integration.server.ts'
import { sentry } from './manifest.ts'

/** Loaded by pages, with these settings instead of the installation's. */
export const sentryIntegration: Integration = { manifest: sentry }
