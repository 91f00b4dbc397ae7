import { createHmac, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { type Listener, sendJson } from '../portals/listen.ts'

const SERVICE = '26785a09-ab16-4eb0-8407-a37497a57506'
const SECRET = '3d844edf-8d35-48ac-975b-e847b4f122b0'

export const NOTIFY = { apiKey: `riverbend-${SERVICE}-${SECRET}`, templateId: 'f33517ff-2a88-4f6e-b855-c550268ce08a' }

interface TakenMessage {
  id: string
  phone_number: string
  reference: string
  personalisation: { message: string }
}

export interface Notify {
  listener: Listener
  taken: TakenMessage[]
  /** Refuses the next requests with these statuses, one each. */
  failing: (429 | 500 | 403)[]
  /** Accepts this many of the next messages, closing each connection without a response. */
  silentAfter: number
}

const NAMES = { 429: 'RateLimitError', 500: 'Exception', 403: 'AuthError' }

/** GOV.UK Notify as documented: signed tokens, templates, references. */
export function createNotifyService(): Notify {
  const refuse = (response: ServerResponse, status: number, error: string) =>
    sendJson(response, { status_code: status, errors: [{ error, message: error }] }, status)
  const create = async (request: IncomingMessage, response: ServerResponse) => {
    const asked = JSON.parse(await readText(request)) as Omit<TakenMessage, 'id'> & { template_id: string }
    const status = served.failing.shift()
    if (status) return refuse(response, status, NAMES[status])
    if (asked.template_id !== NOTIFY.templateId) return refuse(response, 400, 'BadRequestError')
    const one = { id: randomUUID(), ...asked }
    served.taken.push(one)
    if (served.silentAfter-- > 0) return response.destroy()
    sendJson(response, { id: one.id, reference: asked.reference, content: { body: asked.personalisation.message } }, 201)
  }
  const listener: Listener = (url, response, request) => {
    if (!isSigned(request.headers.authorization)) return refuse(response, 403, 'AuthError')
    if (url.pathname === '/v2/notifications/sms') return void create(request, response)
    if (url.pathname === '/v2/notifications') {
      return sendJson(response, { notifications: served.taken.filter(({ reference }) => reference === url.searchParams.get('reference')) })
    }
    if (url.pathname === `/v2/template/${NOTIFY.templateId}`) return sendJson(response, { type: 'sms', body: '((message))', version: 1 })
    refuse(response, 404, 'NoResultFound')
  }
  const served: Notify = { listener, taken: [], failing: [], silentAfter: 0 }
  return served
}

function isSigned(header: string | undefined): boolean {
  const [head = '', payload = '', signature] = header?.replace('Bearer ', '').split('.') ?? []
  if (createHmac('sha256', SECRET).update(`${head}.${payload}`).digest('base64url') !== signature) return false
  const { iss, iat } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { iss: string; iat: number }
  return iss === SERVICE && Math.abs(Date.now() / 1000 - iat) < 30
}
