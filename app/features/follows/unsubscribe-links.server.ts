import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'

/** What an unsubscribe link ends: emails about one followed project or contribution, about all of them, newsletters, the weekly mail, or a report. */
export type Unsubscription =
  | { kind: 'project'; projectId: string; userId: string }
  | { kind: 'contribution'; contributionId: string; userId: string }
  | { kind: 'news'; userId: string }
  | { kind: 'follows'; userId: string }
  /** The weekly mail of administrators. */
  | { kind: 'weekly'; userId: string }
  /** A project followed by email address, without an account. */
  | { kind: 'address'; followId: string }
  /** A saved report that is mailed to an address, which needs no account. */
  | { kind: 'report'; viewId: string; addressHash: Buffer }

const SIGNING_PURPOSES = {
  project: 'unfollow',
  contribution: 'unfollow contribution',
  news: 'leave news',
  follows: 'leave digests',
  weekly: 'leave weekly mails',
  address: 'unfollow by address',
  report: 'leave report',
} as const
/** Payload length of each kind of link, which identifies the kind. */
const PAYLOAD_BYTES = { project: 32, contribution: 33, news: 16, follows: 17, address: 18, weekly: 19, report: 34 } as const
const KINDS = Object.keys(PAYLOAD_BYTES) as Unsubscription['kind'][]

const signPayload = (secret: string, siteId: string, kind: Unsubscription['kind'], payload: Buffer) =>
  createHmac('sha256', secret).update(`${SIGNING_PURPOSES[kind]} ${siteId} `).update(payload).digest()

/** Creates the signed token of an unsubscribe link. It never expires and works without signing in. */
export function createUnsubscribeToken({ runtime, site }: Pick<Ctx, 'runtime' | 'site'>, leave: Unsubscription): string {
  const payload = Buffer.concat([...describeSubject(leave), describeReader(leave)])
  return `${payload.toString('base64url')}.${signPayload(runtime.secret, site.id, leave.kind, payload).toString('base64url')}`
}

/** The account, the follow of an address, or the address itself as a hash: a link must not show it. */
function describeReader(leave: Unsubscription): Uint8Array {
  if (leave.kind === 'report') return leave.addressHash
  return parse(leave.kind === 'address' ? leave.followId : leave.userId)
}

/** In links that name an address. */
export const hashAddress = (address: string): Buffer => createHash('sha256').update(address.toLowerCase()).digest().subarray(0, 16)

/** What precedes the reader. */
function describeSubject(leave: Unsubscription): Uint8Array[] {
  switch (leave.kind) {
    case 'project':
      return [parse(leave.projectId)]
    case 'contribution':
      return [Buffer.of(0), parse(leave.contributionId)]
    case 'follows':
      return [Buffer.of(0)]
    case 'address':
      return [Buffer.alloc(2)]
    case 'weekly':
      return [Buffer.alloc(3)]
    case 'report':
      return [Buffer.alloc(2), parse(leave.viewId)]
    case 'news':
      return []
  }
}

/** Verifies and parses a token; undefined if the signature is invalid. */
export function parseUnsubscribeToken({ runtime, site }: Pick<Ctx, 'runtime' | 'site'>, token: string): Unsubscription | undefined {
  const [text = '', signature = ''] = token.split('.')
  const payload = Buffer.from(text, 'base64url')
  const given = Buffer.from(signature, 'base64url')
  const kind = KINDS.find((one) => PAYLOAD_BYTES[one] === payload.length)
  if (!kind) return undefined
  const expected = signPayload(runtime.secret, site.id, kind, payload)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  if (kind === 'report') return { kind, viewId: stringify(payload.subarray(2, 18)), addressHash: payload.subarray(18) }
  const userId = stringify(payload.subarray(-16))
  if (kind === 'address') return { kind, followId: userId }
  if (kind === 'project') return { kind, projectId: stringify(payload.subarray(0, 16)), userId }
  if (kind === 'contribution') return { kind, contributionId: stringify(payload.subarray(1, 17)), userId }
  return { kind, userId }
}

/** URL of the unsubscribe page, which also accepts one-click unsubscribe from email programs (RFC 8058). */
export const buildUnsubscribeUrl = (ctx: Pick<Ctx, 'runtime' | 'site'>, language: ContentLanguage, leave: Unsubscription): string =>
  buildSiteUrl(ctx, `/${language}/unfollow?token=${createUnsubscribeToken(ctx, leave)}`)

export const buildNewsUnsubscribeUrl = (ctx: Pick<Ctx, 'runtime' | 'site'>, language: ContentLanguage, userId: string): string =>
  buildUnsubscribeUrl(ctx, language, { kind: 'news', userId })
