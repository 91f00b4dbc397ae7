import { createId } from '#app/lib/uuid.ts'
import { createSigningSecret, listSigningSecrets, buildWebhookHeaders } from '../../webhooks/webhook-signature.server.ts'
import type { Integration, Service, ServiceAnswer } from '../integration.server.ts'
import { webhooks } from './manifest.ts'

const TIMEOUT_MS = 10_000

/** Posts one happening, signed. Whatever is answered but 2xx counts as not taken. @throws {ProviderFault} */
export function postWebhook(
  service: Service,
  { id, body, operation = 'tell' }: { id: string; body: string; operation?: string },
  now: Date,
): Promise<ServiceAnswer> {
  const url = String(service.settings['address'])
  return service.sendRequest({
    operation,
    url,
    // Such addresses often hold a secret of the receiver's own.
    target: `${new URL(url).host}/…`,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...buildWebhookHeaders(listSigningSecrets(service.settings, now), id, body, now) },
    body,
    statusOnly: true,
    withinMs: TIMEOUT_MS,
  })
}

/** What happens on the site, told to an address of the site's choice. */
export const webhooksIntegration: Integration = {
  manifest: webhooks,
  createSettings: () => ({ signingSecret: createSigningSecret() }),
  check: async (service) => {
    const now = new Date()
    const body = JSON.stringify({ type: 'test', timestamp: now.toISOString(), data: {} })
    await postWebhook(service, { id: createId(), body, operation: 'check' }, now)
  },
}
