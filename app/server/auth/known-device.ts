import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { buildCookieHeader } from '../../lib/device-storage.ts'
import { DEVICE_ITEM } from '../../lib/stored-items.ts'
import type { Ctx } from '../context.ts'
import { isHttps } from '../site-url.ts'

/**
 * Tells a browser that has signed in before from one that is guessing, so that a stranger's wrong passwords never lock people out of their
 * own device. The cookie names nobody: only the server can tell whether it belongs to a given account. Only the sign-in form reads it.
 */
export const DEVICE_COOKIE = DEVICE_ITEM.name
/** A family's browser may know several accounts. */
const MAX_ACCOUNTS = 3
const NONCE_BYTES = 12
const HOUR_MS = 3_600_000
/** Base64url of the nonce, the expiry hour and the proof. */
const ENTRY = /^[A-Za-z0-9_-]{43}$/

interface Account {
  siteId: string
  id: string
}

/**
 * Checks the browser's cookie against an account.
 * @returns the device's id, to count its attempts by, or undefined if the device is not known
 */
export function findKnownDevice(ctx: Ctx, cookie: string | undefined, account: Account | undefined): string | undefined {
  if (!account) return undefined
  const entry = parseEntries(cookie).find((each) => belongsTo(ctx, each, account))
  return entry?.subarray(0, NONCE_BYTES).toString('base64url')
}

/** Sets the cookie after somebody has proved that the account is theirs; entries for other accounts are kept. */
export function createKnownDeviceCookie(ctx: Ctx, cookie: string | undefined, account: Account): string {
  const nonce = randomBytes(NONCE_BYTES)
  const hour = Buffer.alloc(4)
  hour.writeUInt32BE(Math.floor(ctx.now().getTime() / HOUR_MS) + DEVICE_ITEM.seconds / 3600)
  const signed = Buffer.concat([nonce, hour])
  const others = parseEntries(cookie).filter((each) => !belongsTo(ctx, each, account))
  const entries = [Buffer.concat([signed, computeProof(ctx, signed, account)]), ...others].slice(0, MAX_ACCOUNTS)
  const value = entries.map((each) => each.toString('base64url')).join('.')
  return buildCookieHeader(DEVICE_ITEM, value, { https: isHttps(ctx) })
}

const parseEntries = (cookie: string | undefined): Buffer[] =>
  (cookie ?? '')
    .split('.', MAX_ACCOUNTS)
    .filter((text) => ENTRY.test(text))
    .map((text) => Buffer.from(text, 'base64url'))

function belongsTo(ctx: Ctx, entry: Buffer, account: Account): boolean {
  const signed = entry.subarray(0, NONCE_BYTES + 4)
  const isCurrent = signed.readUInt32BE(NONCE_BYTES) * HOUR_MS > ctx.now().getTime()
  return timingSafeEqual(entry.subarray(NONCE_BYTES + 4), computeProof(ctx, signed, account)) && isCurrent
}

const computeProof = (ctx: Ctx, signed: Buffer, { siteId, id }: Account): Buffer =>
  createHmac('sha256', ctx.runtime.secret).update(`known device ${siteId} ${id} `).update(signed).digest().subarray(0, 16)
