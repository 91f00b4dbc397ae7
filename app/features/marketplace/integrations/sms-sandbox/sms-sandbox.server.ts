import type { Integration } from '../integration.server.ts'
import { smsSandbox } from './manifest.ts'

/** Accepts every message and sends nothing: the message list is its outbox. */
export const smsSandboxIntegration: Integration = {
  manifest: smsSandbox,
  check: () => Promise.resolve(),
  sms: {
    isInternal: true,
    perSecond: () => 1000,
    send: (_service, { id }) => Promise.resolve({ providerId: id, delivered: true }),
    find: () => Promise.resolve(undefined),
  },
}
