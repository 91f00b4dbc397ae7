import { getCookie } from '@tanstack/react-start/server'
import { buildCookieHeader } from '#app/lib/device-storage.ts'
import { INVITATION_ITEM, RECEIPT_ITEM } from '#app/lib/stored-items.ts'
import type { Ctx } from '#app/server/context.ts'
import { isHttps } from '#app/server/site-url.ts'

/** @param subjectId of the survey or activity */
export const buildInvitationCookieName = (subjectId: string): string => `${INVITATION_ITEM.name}${subjectId}`

/** Lasts until the invitation is used, then as long as the receipt: a person who withdraws their answer can answer again. */
export const buildInvitationCookie = (ctx: Ctx, subjectId: string, secret: string, used = false): string =>
  buildCookieHeader(INVITATION_ITEM, secret, { of: subjectId, https: isHttps(ctx), ...(used ? { seconds: RECEIPT_ITEM.seconds } : {}) })

/** The code or the secret of a personal link that the browser holds for a survey or activity. */
export const readInvitation = (subjectId: string): string | undefined => getCookie(buildInvitationCookieName(subjectId))
