import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { type Listener, sendJson } from '../portals/listen.ts'

export const TWILIO = {
  accountSid: `AC${'0123456789abcdef'.repeat(2)}`,
  authToken: 'fedcba9876543210'.repeat(2),
  from: '+16135550100',
}

export interface TakenByTwilio {
  sid: string
  to: string
  body: string
  direction: string
  date_created: string
}

/** How the next request is answered: as documented, or with one of a service's typical failures. */
export type TwilioMood =
  | 'fine'
  | 'busy'
  | 'busy-for'
  | 'down'
  | 'silent-after'
  | 'hangs-after'
  | 'garbled-after'
  | 'refuses-number'
  | 'opted-out'
  | 'closes'

export interface Twilio {
  listener: Listener
  /** Every accepted message, in order. */
  taken: TakenByTwilio[]
  /** Moods of the next requests; `fine` once the list is empty. */
  moods: TwilioMood[]
}

/** Twilio's message API as documented for version 2010-04-01. */
export function createTwilioService(): Twilio {
  const taken: TakenByTwilio[] = []
  const moods: TwilioMood[] = []
  const expected = `Basic ${Buffer.from(`${TWILIO.accountSid}:${TWILIO.authToken}`).toString('base64')}`
  const refuse = (response: ServerResponse, status: number, code: number, message: string) =>
    sendJson(response, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }, status)
  const create = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await readText(request))
    const mood = moods.shift() ?? 'fine'
    if (mood === 'busy') return refuse(response, 429, 20429, 'Too Many Requests')
    if (mood === 'busy-for') {
      response.setHeader('retry-after', '120')
      return refuse(response, 429, 20429, 'Too Many Requests')
    }
    if (mood === 'down') return refuse(response, 500, 20500, 'Internal Server Error')
    if (mood === 'closes') return response.destroy()
    const to = form.get('To') ?? ''
    if (mood === 'refuses-number') return refuse(response, 400, 21211, `Invalid 'To' Phone Number: ${to}`)
    if (mood === 'opted-out') return refuse(response, 400, 21610, 'Attempt to send to unsubscribed recipient')
    const sid = `SM${randomBytes(16).toString('hex')}`
    taken.push({ sid, to, body: form.get('Body') ?? '', direction: 'outbound-api', date_created: new Date().toUTCString() })
    if (mood === 'silent-after') return response.destroy()
    if (mood === 'hangs-after') return
    if (mood === 'garbled-after') return response.writeHead(201, { 'content-type': 'application/json' }).end('<html>')
    sendJson(response, { sid, status: 'queued', to, from: form.get('From'), error_code: null, num_segments: '1' }, 201)
  }
  const listener: Listener = (url, response, request) => {
    if (request.headers.authorization !== expected) return refuse(response, 401, 20003, 'Authenticate')
    const account = `/2010-04-01/Accounts/${TWILIO.accountSid}`
    if (url.pathname === `${account}.json`) return sendJson(response, { sid: TWILIO.accountSid, status: 'active' })
    if (url.pathname !== `${account}/Messages.json`) return refuse(response, 404, 20404, 'Not found')
    if (request.method === 'POST') return void create(request, response)
    sendJson(response, { messages: taken.filter(({ to }) => to === url.searchParams.get('To')).toReversed(), page: 0, next_page_uri: null })
  }
  return { listener, taken, moods }
}
