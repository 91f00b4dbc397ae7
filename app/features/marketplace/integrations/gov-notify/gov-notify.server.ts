import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { isBearer } from '../../bearer-token.server.ts'
import {
  type HookRequest,
  type Integration,
  ProviderFault,
  type Service,
  type ServiceRequest,
  type SmsEvent,
} from '../integration.server.ts'
import { govNotify } from './manifest.ts'

const notificationSchema = v.object({ id: v.pipe(v.string(), v.uuid()) })
const foundSchema = v.object({ notifications: v.array(notificationSchema) })
const templateSchema = v.object({ type: v.literal('sms'), body: v.pipe(v.string(), v.regex(/^\s*\(\(message\)\)\s*$/)) })
const refusalSchema = v.object({ errors: v.pipe(v.array(v.object({ error: v.string() })), v.minLength(1)) })
const KEY_LENGTH = 36

/** GOV.UK Notify, REST API version 2; other governments run the same software. */
export const govNotifyIntegration: Integration = {
  manifest: govNotify,
  check: async (service) => {
    const id = readTextSetting(service, 'templateId')
    const { body } = await service.sendRequest(buildRequest(service, 'check', `/v2/template/${id}`, '/v2/template/…'))
    if (!v.is(templateSchema, body))
      throw new ProviderFault('message-refused', 'the template is not one for texts that holds ((message)) alone')
  },
  sms: {
    // Limit: 3,000 a minute per key.
    perSecond: () => 50,
    send: async (service, { id, to, text }) => {
      const sender = readTextSetting(service, 'senderId')
      const { body } = await service.sendRequest({
        ...buildRequest(service, 'send', '/v2/notifications/sms'),
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          phone_number: to,
          template_id: readTextSetting(service, 'templateId'),
          personalisation: { message: text },
          reference: id,
          ...(sender ? { sms_sender_id: sender } : {}),
        }),
      })
      if (!v.is(notificationSchema, body))
        throw new ProviderFault('provider-not-understood', 'no notification in the answer', { unsure: true })
      return { providerId: body.id }
    },
    find: async (service, { id }) => {
      const { body } = await service.sendRequest(
        buildRequest(service, 'find', `/v2/notifications?template_type=sms&reference=${id}`, '/v2/notifications'),
      )
      if (!v.is(foundSchema, body)) throw new ProviderFault('provider-not-understood', 'no notifications in the answer')
      const [one] = body.notifications
      return one && { providerId: one.id }
    },
    receive: (hook) => (isBearer(hook.header('authorization'), String(hook.settings['callbackToken'] ?? '')) ? parseHook(hook) : undefined),
    parse: parseHook,
  },
}

const incomingTextSchema = v.object({ ...notificationSchema.entries, source_number: v.string(), message: v.string() })
const receiptSchema = v.object({ ...notificationSchema.entries, status: v.string(), reference: v.nullish(v.string()) })

function parseHook({ body }: Pick<HookRequest, 'body'>): SmsEvent[] {
  const report = parseJson(body)
  if (v.is(incomingTextSchema, report))
    return [{ kind: 'text', providerId: report.id, phone: toInternationalNumber(report.source_number), body: report.message }]
  if (!v.is(receiptSchema, report)) return []
  const outcome = report.status === 'delivered' ? 'delivered' : report.status.endsWith('-failure') ? 'failed' : 'accepted'
  return [{ kind: 'status', providerId: report.id, reference: report.reference ?? undefined, outcome }]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Notify omits the plus sign. */
const toInternationalNumber = (phone: string): string => (/^[1-9]\d{9,14}$/.test(phone) ? `+${phone}` : phone)

const readTextSetting = ({ settings }: Service, name: string): string => String(settings[name] ?? '')

function buildRequest(service: Service, operation: string, path: string, shown = path): ServiceRequest {
  const url = new URL(path, readTextSetting(service, 'address'))
  return {
    operation,
    url: url.href,
    target: `${url.host}${shown}`,
    secrets: { authorization: `Bearer ${createToken(readTextSetting(service, 'apiKey'))}` },
    codeOf: (body) => (v.is(refusalSchema, body) ? body.errors[0]?.error : undefined),
  }
}

/** A key is `name-service-secret`; the last two parts are UUIDs. Every request is signed anew, because tokens live for 30 seconds. */
function createToken(apiKey: string): string {
  const secret = apiKey.slice(-KEY_LENGTH)
  const issuer = apiKey.slice(-2 * KEY_LENGTH - 1, -KEY_LENGTH - 1)
  const encodePart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encodePart({ typ: 'JWT', alg: 'HS256' })}.${encodePart({ iss: issuer, iat: Math.floor(Date.now() / 1000) })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
