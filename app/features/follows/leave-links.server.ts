import { createHmac, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'
import type { Language } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import { siteUrl } from '#app/server/site-url.ts'

/** What a mail's way out ends: one followed project's mails, all of those, or the site's news. */
export type Leave =
  | { kind: 'project'; projectId: string; userId: string }
  | { kind: 'news'; userId: string }
  | { kind: 'follows'; userId: string }

const PURPOSES = { project: 'unfollow', news: 'leave news', follows: 'leave digests' } as const
/** Bytes of what a link of each kind holds: by them it is told which it is. */
const LENGTHS = { project: 32, news: 16, follows: 17 } as const
const KINDS = Object.keys(LENGTHS) as Leave['kind'][]

const sign = (secret: string, siteId: string, kind: Leave['kind'], payload: Buffer) =>
  createHmac('sha256', secret).update(`${PURPOSES[kind]} ${siteId} `).update(payload).digest()

/** What the link in a mail holds: what it ends and for whom, signed, so that it works for good and without signing in. */
export function leaveToken({ runtime, site }: Pick<Ctx, 'runtime' | 'site'>, leave: Leave): string {
  const before = leave.kind === 'project' ? [parse(leave.projectId)] : leave.kind === 'follows' ? [Buffer.of(0)] : []
  const payload = Buffer.concat([...before, parse(leave.userId)])
  return `${payload.toString('base64url')}.${sign(runtime.secret, site.id, leave.kind, payload).toString('base64url')}`
}

/** What such a link ends; undefined where it was not made here. */
export function readLeaveToken({ runtime, site }: Pick<Ctx, 'runtime' | 'site'>, token: string): Leave | undefined {
  const [text = '', signature = ''] = token.split('.')
  const payload = Buffer.from(text, 'base64url')
  const given = Buffer.from(signature, 'base64url')
  const kind = KINDS.find((one) => LENGTHS[one] === payload.length)
  if (!kind) return undefined
  const expected = sign(runtime.secret, site.id, kind, payload)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const userId = stringify(payload.subarray(-16))
  return kind === 'project' ? { kind, projectId: stringify(payload.subarray(0, 16)), userId } : { kind, userId }
}

/** Address of the page with the button that ends it, and of the one press of a mail program (RFC 8058). */
export const leaveUrl = (ctx: Pick<Ctx, 'runtime' | 'site'>, language: Language, leave: Leave): string =>
  siteUrl(ctx, `/${language}/unfollow?token=${leaveToken(ctx, leave)}`)

export const newsLeaveUrl = (ctx: Pick<Ctx, 'runtime' | 'site'>, language: Language, userId: string): string =>
  leaveUrl(ctx, language, { kind: 'news', userId })
