import { createHmac, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'
import type { Language } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'

/** What a mail's way out ends: one followed project's mails, all of those, or the site's news. */
export type Unsubscription =
  | { kind: 'project'; projectId: string; userId: string }
  | { kind: 'news'; userId: string }
  | { kind: 'follows'; userId: string }

const SIGNING_PURPOSES = { project: 'unfollow', news: 'leave news', follows: 'leave digests' } as const
/** Bytes of what a link of each kind holds: by them it is told which it is. */
const PAYLOAD_BYTES = { project: 32, news: 16, follows: 17 } as const
const KINDS = Object.keys(PAYLOAD_BYTES) as Unsubscription['kind'][]

const signPayload = (secret: string, siteId: string, kind: Unsubscription['kind'], payload: Buffer) =>
  createHmac('sha256', secret).update(`${SIGNING_PURPOSES[kind]} ${siteId} `).update(payload).digest()

/** What the link in a mail holds: what it ends and for whom, signed, so that it works for good and without signing in. */
export function createUnsubscribeToken({ runtime, site }: Pick<Ctx, 'runtime' | 'site'>, leave: Unsubscription): string {
  const before = leave.kind === 'project' ? [parse(leave.projectId)] : leave.kind === 'follows' ? [Buffer.of(0)] : []
  const payload = Buffer.concat([...before, parse(leave.userId)])
  return `${payload.toString('base64url')}.${signPayload(runtime.secret, site.id, leave.kind, payload).toString('base64url')}`
}

/** What such a link ends; undefined where it was not made here. */
export function parseUnsubscribeToken({ runtime, site }: Pick<Ctx, 'runtime' | 'site'>, token: string): Unsubscription | undefined {
  const [text = '', signature = ''] = token.split('.')
  const payload = Buffer.from(text, 'base64url')
  const given = Buffer.from(signature, 'base64url')
  const kind = KINDS.find((one) => PAYLOAD_BYTES[one] === payload.length)
  if (!kind) return undefined
  const expected = signPayload(runtime.secret, site.id, kind, payload)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const userId = stringify(payload.subarray(-16))
  return kind === 'project' ? { kind, projectId: stringify(payload.subarray(0, 16)), userId } : { kind, userId }
}

/** Address of the page with the button that ends it, and of the one press of a mail program (RFC 8058). */
export const buildUnsubscribeUrl = (ctx: Pick<Ctx, 'runtime' | 'site'>, language: Language, leave: Unsubscription): string =>
  buildSiteUrl(ctx, `/${language}/unfollow?token=${createUnsubscribeToken(ctx, leave)}`)

export const buildNewsUnsubscribeUrl = (ctx: Pick<Ctx, 'runtime' | 'site'>, language: Language, userId: string): string =>
  buildUnsubscribeUrl(ctx, language, { kind: 'news', userId })
