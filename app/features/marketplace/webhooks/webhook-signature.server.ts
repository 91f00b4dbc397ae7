import { createHmac, randomBytes } from 'node:crypto'
import type { Settings } from '../marketplace.schema.ts'
import { FORMER_SECRET_HOURS } from './webhooks.schema.ts'

const SECRET_PREFIX = 'whsec_'

/** Signing secret in the format of Standard Webhooks: 32 random bytes in base64. */
export const createSigningSecret = (): string => `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`

/** Creates a new secret and keeps the former one valid for a day. */
export function rotateSecret(settings: Settings, now: Date): Settings {
  const { signingSecret } = settings
  return {
    ...settings,
    signingSecret: createSigningSecret(),
    ...(signingSecret ? { formerSecret: signingSecret } : {}),
    formerUntil: new Date(now.getTime() + FORMER_SECRET_HOURS * 3_600_000).toISOString(),
  }
}

/** Secrets to sign with now, newest first. */
export function listSigningSecrets({ signingSecret, formerSecret, formerUntil }: Settings, now: Date): string[] {
  const former = formerSecret && new Date(String(formerUntil)) > now ? [String(formerSecret)] : []
  return [...(signingSecret ? [String(signingSecret)] : []), ...former]
}

/** Headers of one attempt (Standard Webhooks): HMAC-SHA256 over id, time and body, one signature per secret. */
export function buildWebhookHeaders(secrets: readonly string[], id: string, body: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
