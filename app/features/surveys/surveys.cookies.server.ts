import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Ctx } from '#app/server/context.ts'
import { isHttps } from '#app/server/site-url.ts'
import { type Sending, sendingSchema } from './surveys.responses.server.ts'

/** The browser's own secret, by which a survey that takes one answer from each browser knows it again. */
export const BROWSER_COOKIE = 'answers_browser'
/** Code of the receipt that is being looked at: kept from addresses, histories and logs. */
export const RECEIPT_COOKIE = 'receipt'

/** The code or personal link that somebody came with, by survey. */
export const invitationCookieName = (surveyId: string): string => `invitation_${surveyId}`

/** The sending that was begun in this browser, by survey: what leads to its draft. */
export const draftCookieName = (surveyId: string): string => `draft_${surveyId}`

const YEAR_SECONDS = 365 * 24 * 60 * 60
/** Short, since others may use the device next. */
const RECEIPT_SECONDS = 20 * 60
const DRAFT_SECONDS = 60 * 24 * 60 * 60

export const newBrowserToken = (): string => randomBytes(16).toString('base64url')

export const browserCookie = (ctx: Ctx, token: string): string => cookie(ctx, BROWSER_COOKIE, token, YEAR_SECONDS)
export const receiptCookie = (ctx: Ctx, code: string): string => cookie(ctx, RECEIPT_COOKIE, code, RECEIPT_SECONDS)
export const noReceiptCookie = (ctx: Ctx): string => cookie(ctx, RECEIPT_COOKIE, '', 0)

export const draftCookie = (ctx: Ctx, surveyId: string, { id, sendKey }: Sending): string =>
  cookie(ctx, draftCookieName(surveyId), `${id}.${sendKey}`, DRAFT_SECONDS)
export const noDraftCookie = (ctx: Ctx, surveyId: string): string => cookie(ctx, draftCookieName(surveyId), '', 0)

/** Kept until it was used; then as long as the receipt, so that an answer just taken back can be given again. */
export const invitationCookie = (ctx: Ctx, surveyId: string, secret: string, used = false): string =>
  cookie(ctx, invitationCookieName(surveyId), secret, used ? RECEIPT_SECONDS : DRAFT_SECONDS)

/** Both parts of a sending as a cookie or a link holds them. */
export function readSendingCode(code: string | undefined): Sending | undefined {
  const [id, sendKey] = code?.split('.') ?? []
  const read = v.safeParse(sendingSchema, { id, sendKey })
  return read.success ? read.output : undefined
}

const cookie = (ctx: Ctx, name: string, value: string, seconds: number): string =>
  `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${isHttps(ctx) ? '; Secure' : ''}`
