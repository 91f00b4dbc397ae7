import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Ctx } from '#app/server/context.ts'
import { cookieHeader } from '#app/lib/device-storage.ts'
import { BROWSER_ITEM, DRAFT_ITEM, INVITATION_ITEM, RECEIPT_ITEM } from '#app/lib/stored-items.ts'
import { isHttps } from '#app/server/site-url.ts'
import { type Sending, sendingSchema } from '../responses/submit-response.server.ts'

export const BROWSER_COOKIE = BROWSER_ITEM.name
export const RECEIPT_COOKIE = RECEIPT_ITEM.name

export const invitationCookieName = (surveyId: string): string => `${INVITATION_ITEM.name}${surveyId}`
export const draftCookieName = (surveyId: string): string => `${DRAFT_ITEM.name}${surveyId}`

export const newBrowserToken = (): string => randomBytes(16).toString('base64url')

export const browserCookie = (ctx: Ctx, token: string): string => cookieHeader(BROWSER_ITEM, token, { secure: isHttps(ctx) })
export const receiptCookie = (ctx: Ctx, code: string): string => cookieHeader(RECEIPT_ITEM, code, { secure: isHttps(ctx) })
export const noReceiptCookie = (ctx: Ctx): string => cookieHeader(RECEIPT_ITEM, '', { secure: isHttps(ctx), seconds: 0 })

export const draftCookie = (ctx: Ctx, surveyId: string, { id, sendKey }: Sending): string =>
  cookieHeader(DRAFT_ITEM, `${id}.${sendKey}`, { of: surveyId, secure: isHttps(ctx) })
export const noDraftCookie = (ctx: Ctx, surveyId: string): string =>
  cookieHeader(DRAFT_ITEM, '', { of: surveyId, secure: isHttps(ctx), seconds: 0 })

/** Kept until it was used; then as long as the receipt, so that an answer just taken back can be given again. */
export const invitationCookie = (ctx: Ctx, surveyId: string, secret: string, used = false): string =>
  cookieHeader(INVITATION_ITEM, secret, { of: surveyId, secure: isHttps(ctx), ...(used ? { seconds: RECEIPT_ITEM.seconds } : {}) })

/** Both parts of a sending as a cookie or a link holds them. */
export function readSendingCode(code: string | undefined): Sending | undefined {
  const [id, sendKey] = code?.split('.') ?? []
  const read = v.safeParse(sendingSchema, { id, sendKey })
  return read.success ? read.output : undefined
}
