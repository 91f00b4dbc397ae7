import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import type { Keyword } from '#app/lib/text-keywords.ts'
import {
  type HookRequest,
  type Integration,
  ProviderFault,
  type Service,
  type ServiceRequest,
  type SmsEvent,
} from '../integration.server.ts'
import { twilio } from './manifest.ts'

const messageSchema = v.object({ sid: v.pipe(v.string(), v.regex(/^(SM|MM)[0-9a-f]{32}$/)) })
const messageListSchema = v.object({
  messages: v.array(v.object({ ...messageSchema.entries, body: v.string(), direction: v.string(), date_created: v.string() })),
})
/** Tolerates clock skew: the message may have been created slightly before our recorded time. */
const CLOCK_SKEW_MS = 60_000

/** https://www.twilio.com/docs/api/errors/21610 */
const OPTED_OUT = '21610'

/** Twilio Programmable Messaging, REST API 2010-04-01. */
export const twilioIntegration: Integration = {
  manifest: twilio,
  check: async (service) => {
    await service.sendRequest(buildRequest(service, 'check', '.json'))
  },
  sms: {
    // A messaging service has several numbers.
    findNumber: ({ from }) => (typeof from === 'string' && from.startsWith('+') ? from : undefined),
    perSecond: ({ perSecond }) => Number(perSecond),
    optedOutCode: OPTED_OUT,
    send: async (service, { id, to, text }) => {
      const from = readTextSetting(service, 'from')
      const sender = from.startsWith('MG') ? 'MessagingServiceSid' : 'From'
      const { body } = await service.sendRequest({
        ...buildRequest(service, 'send', '/Messages.json'),
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          To: to,
          Body: text,
          [sender]: from,
          ...(service.hook ? { StatusCallback: `${service.hook}?message=${id}` } : {}),
        }).toString(),
      })
      // The message was accepted, but its id is unknown.
      if (!v.is(messageSchema, body)) throw new ProviderFault('provider-not-understood', 'no message in the answer', { unsure: true })
      return { providerId: body.sid }
    },
    find: async (service, { to, text, since }) => {
      const { body } = await service.sendRequest(buildRequest(service, 'find', '/Messages.json', { To: to, PageSize: '50' }))
      if (!v.is(messageListSchema, body)) throw new ProviderFault('provider-not-understood', 'no messages in the answer')
      const found = body.messages.find(
        (one) =>
          one.direction.startsWith('outbound') && one.body === text && Date.parse(one.date_created) >= since.getTime() - CLOCK_SKEW_MS,
      )
      return found && { providerId: found.sid }
    },
    receive: (hook) => (isSigned(hook, new URLSearchParams(hook.body)) ? parseHook(hook) : undefined),
    parse: parseHook,
  },
}

/** What a messaging service with Advanced Opt-Out has recognised and answered, in the words set up there. */
const KEYWORD_BY_OPT_OUT_TYPE: Record<string, Keyword> = { STOP: 'stop', START: 'start', HELP: 'help' }

const OUTCOME_BY_STATUS: Record<string, 'delivered' | 'failed'> = {
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
}

function parseHook({ url, body: sent }: Pick<HookRequest, 'url' | 'body'>): SmsEvent[] {
  const form = new URLSearchParams(sent)
  const [providerId, status, phone, body] = ['MessageSid', 'MessageStatus', 'From', 'Body'].map((name) => form.get(name))
  if (!providerId) return []
  const reference = new URL(url).searchParams.get('message') ?? undefined
  if (status)
    return [
      {
        kind: 'status',
        providerId,
        reference,
        outcome: OUTCOME_BY_STATUS[status] ?? 'accepted',
        optedOut: form.get('ErrorCode') === OPTED_OUT,
      },
    ]
  const handledAs = KEYWORD_BY_OPT_OUT_TYPE[form.get('OptOutType') ?? '']
  return phone && typeof body === 'string' ? [{ kind: 'text', providerId, phone, body, ...(handledAs ? { handledAs } : {}) }] : []
}

/** HMAC-SHA1 of the public URL followed by each parameter's name and value, sorted by name. Unknown parameters must be included. */
function isSigned({ settings, url, header }: HookRequest, form: URLSearchParams): boolean {
  const parameters = [...new Set(form.keys())]
    .toSorted()
    .flatMap((name) => [...new Set(form.getAll(name))].toSorted().map((value) => name + value))
  const expected = createHmac('sha1', String(settings['authToken']))
    .update(url + parameters.join(''))
    .digest()
  const given = Buffer.from(header('x-twilio-signature') ?? '', 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const readTextSetting = ({ settings }: Service, name: string): string => String(settings[name] ?? '')

function buildRequest(service: Service, operation: string, path: string, query: Record<string, string> = {}): ServiceRequest {
  const sid = readTextSetting(service, 'accountSid')
  const url = new URL(`/2010-04-01/Accounts/${sid}${path}`, readTextSetting(service, 'address'))
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return {
    operation,
    url: url.href,
    target: `${url.host}/2010-04-01/Accounts/…${path}`,
    secrets: { authorization: `Basic ${Buffer.from(`${sid}:${readTextSetting(service, 'authToken')}`).toString('base64')}` },
    codeOf: (body) => (v.is(v.object({ code: v.number() }), body) ? String(body.code) : undefined),
  }
}
