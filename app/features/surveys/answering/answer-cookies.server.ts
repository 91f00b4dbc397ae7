import * as v from 'valibot'
import type { Ctx } from '#app/server/context.ts'
import { buildCookieHeader } from '#app/lib/device-storage.ts'
import { DRAFT_ITEM } from '#app/lib/answer-items.ts'
import { isHttps } from '#app/server/site-url.ts'
import { type Sending, sendingSchema } from '#app/features/participation/sending.schema.ts'

export const buildDraftCookieName = (surveyId: string): string => `${DRAFT_ITEM.name}${surveyId}`

export const buildDraftCookie = (ctx: Ctx, surveyId: string, { id, sendKey }: Sending): string =>
  buildCookieHeader(DRAFT_ITEM, `${id}.${sendKey}`, { of: surveyId, https: isHttps(ctx) })
export const buildExpiredDraftCookie = (ctx: Ctx, surveyId: string): string =>
  buildCookieHeader(DRAFT_ITEM, '', { of: surveyId, https: isHttps(ctx), seconds: 0 })

/** Parses both parts of a sending from a cookie or a link. */
export function parseSendingCode(code: string | undefined): Sending | undefined {
  const [id, sendKey] = code?.split('.') ?? []
  const read = v.safeParse(sendingSchema, { id, sendKey })
  return read.success ? read.output : undefined
}
