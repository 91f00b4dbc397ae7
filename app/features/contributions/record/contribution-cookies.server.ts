import { getCookie } from '@tanstack/react-start/server'
import { buildInvitationCookieName } from '#app/features/invitations/invitation-cookies.server.ts'
import { buildCookieHeader } from '#app/lib/device-storage.ts'
import { RECEIPT_ITEM } from '#app/lib/stored-items.ts'
import type { Ctx } from '#app/server/context.ts'
import { isHttps } from '#app/server/site-url.ts'

/** The code of the receipt that the browser holds. */
export const readReceiptCode = (): string | undefined => getCookie(RECEIPT_ITEM.name)

/** The code or the secret of a personal link that the browser holds for an activity. */
export const readInvitation = (activityId: string): string | undefined => getCookie(buildInvitationCookieName(activityId))

export const buildReceiptCookie = (ctx: Ctx, code: string): string => buildCookieHeader(RECEIPT_ITEM, code, { https: isHttps(ctx) })
