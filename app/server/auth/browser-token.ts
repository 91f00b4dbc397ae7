import { appendResponseHeader, getCookie } from '@tanstack/react-start/server'
import { AppError } from '../../lib/app-error.ts'
import { buildCookieHeader } from '../../lib/device-storage.ts'
import { BROWSER_ITEM } from '../../lib/stored-items.ts'
import type { Ctx } from '../context.ts'
import { countAttempt, limitByAddress } from '../limits/limits.ts'
import { isSharedAddress, SHARED_FACTOR } from '../limits/shared-networks.ts'
import { isHttps } from '../site-url.ts'
import { createBrowserToken, isIssuedToken } from './sign-browser-token.ts'

declare const isToken: unique symbol
/** A token that we issued to a browser or a client of the API, and that came back with a request. Nothing else recognises a browser. */
export type BrowserToken = string & { readonly [isToken]: 'came back' }
/** Issued just now. We do not know yet whether the browser keeps it, so it counts for nothing. */
export type NewBrowserToken = string & { readonly [isToken]: 'new' }
/** What recognises somebody who answers by text: made from their number, so they have one only. */
export type NumberToken = string & { readonly [isToken]: 'number' }

/** Some hundred people behind one address, each with a browser of their own, fit into an hour. */
const MAX_ISSUED = 600
const ISSUED_WITHIN_MINUTES = 60

/** @returns undefined for a token that this site did not issue: it is none */
export const parseBrowserToken = ({ runtime, site }: Pick<Ctx, 'runtime' | 'site'>, sent: string | undefined): BrowserToken | undefined =>
  sent !== undefined && isIssuedToken(runtime.secret, site.id, sent) ? (sent as BrowserToken) : undefined

/** The browser's token, from its cookie. */
export const readBrowserToken = (ctx: Ctx): BrowserToken | undefined => parseBrowserToken(ctx, getCookie(BROWSER_ITEM.name))

/** @throws {AppError} `too-many-requests` if more were issued to one address than an office, a school or a library needs */
export async function issueBrowserToken(ctx: Ctx): Promise<NewBrowserToken> {
  await countAttempt(
    ctx,
    limitByAddress(ctx, {
      name: 'browser-token',
      most: MAX_ISSUED * (isSharedAddress(ctx) ? SHARED_FACTOR : 1),
      minutes: ISSUED_WITHIN_MINUTES,
    }),
  )
  return createBrowserToken(ctx.runtime.secret, ctx.site.id) as NewBrowserToken
}

/** Issues a token and sets its cookie, also if the form is refused. @throws as `issueBrowserToken` */
export async function giveBrowserToken(ctx: Ctx): Promise<NewBrowserToken> {
  const token = await issueBrowserToken(ctx)
  appendResponseHeader('set-cookie', buildCookieHeader(BROWSER_ITEM, token, { https: isHttps(ctx) }))
  return token
}

/**
 * What recognises the sender of a form beside an account. A visitor without a token gets one, and is asked to press once more.
 * @returns undefined only for people who are signed in: they need none
 * @throws {AppError} `press-again` with the cookie set; as `issueBrowserToken`
 */
export async function requireBrowserToken(ctx: Ctx): Promise<BrowserToken | undefined> {
  const token = readBrowserToken(ctx)
  if (token || ctx.viewer.kind === 'user') return token
  await giveBrowserToken(ctx)
  throw new AppError('press-again')
}
