import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { isBearer } from '../../bearer.server.ts'
import { type Integration, ProviderFault, type Service, type ServiceRequest } from '../integration.server.ts'
import { govNotify } from './manifest.ts'

const notification = v.object({ id: v.pipe(v.string(), v.uuid()) })
const found = v.object({ notifications: v.array(notification) })
const template = v.object({ type: v.literal('sms'), body: v.pipe(v.string(), v.regex(/^\s*\(\(message\)\)\s*$/)) })
const refusal = v.object({ errors: v.pipe(v.array(v.object({ error: v.string() })), v.minLength(1)) })
const KEY_LENGTH = 36

/** GOV.UK Notify by its REST API of version 2; other governments run the same. */
export const govNotifyIntegration: Integration = {
  manifest: govNotify,
  check: async (service) => {
    const id = textOf(service, 'templateId')
    const { body } = await service.ask(requestOf(service, 'check', `/v2/template/${id}`, '/v2/template/…'))
    if (!v.is(template, body)) throw new ProviderFault('message-refused', 'the template is not one for texts that holds ((message)) alone')
  },
  sms: {
    // 3,000 a minute for each key.
    perSecond: () => 50,
    send: async (service, { id, to, text }) => {
      const sender = textOf(service, 'senderId')
      const { body } = await service.ask({
        ...requestOf(service, 'send', '/v2/notifications/sms'),
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          phone_number: to,
          template_id: textOf(service, 'templateId'),
          personalisation: { message: text },
          reference: id,
          ...(sender ? { sms_sender_id: sender } : {}),
        }),
      })
      if (!v.is(notification, body)) throw new ProviderFault('provider-not-understood', 'no notification in the answer', { unsure: true })
      return { providerId: body.id }
    },
    find: async (service, { id }) => {
      const { body } = await service.ask(
        requestOf(service, 'find', `/v2/notifications?template_type=sms&reference=${id}`, '/v2/notifications'),
      )
      if (!v.is(found, body)) throw new ProviderFault('provider-not-understood', 'no notifications in the answer')
      const [one] = body.notifications
      return one && { providerId: one.id }
    },
    receive: ({ settings, header, body }) => {
      if (!isBearer(header('authorization'), String(settings['callbackToken'] ?? ''))) return undefined
      const told = readJson(body)
      if (v.is(incoming, told)) return [{ kind: 'text', providerId: told.id, phone: international(told.source_number), body: told.message }]
      if (!v.is(receipt, told)) return []
      const outcome = told.status === 'delivered' ? 'delivered' : told.status.endsWith('-failure') ? 'failed' : 'accepted'
      return [{ kind: 'status', providerId: told.id, reference: told.reference ?? undefined, outcome }]
    },
  },
}

const incoming = v.object({ ...notification.entries, source_number: v.string(), message: v.string() })
const receipt = v.object({ ...notification.entries, status: v.string(), reference: v.nullish(v.string()) })

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Notify leaves the plus out. */
const international = (phone: string): string => (/^[1-9]\d{9,14}$/.test(phone) ? `+${phone}` : phone)

const textOf = ({ settings }: Service, name: string): string => String(settings[name] ?? '')

function requestOf(service: Service, operation: string, path: string, shown = path): ServiceRequest {
  const url = new URL(path, textOf(service, 'address'))
  return {
    operation,
    url: url.href,
    target: `${url.host}${shown}`,
    secrets: { authorization: `Bearer ${tokenOf(textOf(service, 'apiKey'))}` },
    codeOf: (body) => (v.is(refusal, body) ? body.errors[0]?.error : undefined),
  }
}

/** A key is `name-service-secret`, both last of them UUIDs. Each request is signed anew: a token lives for half a minute. */
function tokenOf(apiKey: string): string {
  const secret = apiKey.slice(-KEY_LENGTH)
  const issuer = apiKey.slice(-2 * KEY_LENGTH - 1, -KEY_LENGTH - 1)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ typ: 'JWT', alg: 'HS256' })}.${part({ iss: issuer, iat: Math.floor(Date.now() / 1000) })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
