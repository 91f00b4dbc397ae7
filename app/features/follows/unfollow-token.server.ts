import { createHmac, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'

export interface Follow {
  projectId: string
  userId: string
}

const sign = (secret: string, siteId: string, payload: Buffer) =>
  createHmac('sha256', secret).update(`unfollow ${siteId} `).update(payload).digest()

/** What the link in a follower's mail holds: which follow it ends, signed, so that it works for good and without signing in. */
export function unfollowToken(secret: string, siteId: string, { projectId, userId }: Follow): string {
  const payload = Buffer.concat([parse(projectId), parse(userId)])
  return `${payload.toString('base64url')}.${sign(secret, siteId, payload).toString('base64url')}`
}

/** The follow such a link names; undefined where it was not made here. */
export function readUnfollowToken(secret: string, siteId: string, token: string): Follow | undefined {
  const [text = '', signature = ''] = token.split('.')
  const payload = Buffer.from(text, 'base64url')
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(secret, siteId, payload)
  if (payload.length !== 32 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return { projectId: stringify(payload.subarray(0, 16)), userId: stringify(payload.subarray(16)) }
}
