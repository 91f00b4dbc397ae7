import { createId } from '#app/lib/uuid.ts'
import { createSigningSecret, listSigningSecrets, buildWebhookHeaders } from '../../webhooks/webhook-signature.server.ts'
import type { Integration, Service, ServiceAnswer } from '../integration.server.ts'
import { webhooks } from './manifest.ts'

const TIMEOUT_MS = 10_000

/** Posts a signed event. Anything but 2xx counts as not delivered. @throws {ProviderFault} */
export function postWebhook(
  service: Service,
  { id, body, operation = 'tell' }: { id: string; body: string; operation?: string },
  now: Date,
): Promise<ServiceAnswer> {
  const url = String(service.settings['address'])
  return service.sendRequest({
    operation,
    url,
    // Log only the host: such paths often contain a secret.
    target: `${new URL(url).host}/…`,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...buildWebhookHeaders(listSigningSecrets(service.settings, now), id, body, now) },
    body,
    statusOnly: true,
    withinMs: TIMEOUT_MS,
  })
}

/** Posts events on the site to a URL of its choice. */
export const webhooksIntegration: Integration = {
  manifest: webhooks,
  createSettings: () => ({ signingSecret: createSigningSecret() }),
  check: async (service) => {
    const now = new Date()
    const body = JSON.stringify({ type: 'test', timestamp: now.toISOString(), data: {} })
    await postWebhook(service, { id: createId(), body, operation: 'check' }, now)
  },
}
