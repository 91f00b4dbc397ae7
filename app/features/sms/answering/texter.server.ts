import { createHmac } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { type Language, matchLanguage } from '#app/lib/languages.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import type { NumberToken } from '#app/server/auth/browser-token.ts'
import { type Ctx, withLanguage } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { userPhones } from '#app/server/db/schema/messages.ts'

/** The sender of a text: a number, and the account that confirmed it, if any. */
export interface Texter {
  /** E.164 */
  phone: string
  owner: (SignedInViewer & { language: Language }) | undefined
}

export async function loadTexter(ctx: Ctx, tx: Tx, phone: string): Promise<Texter> {
  const [row] = await tx
    .select({ user: users })
    .from(userPhones)
    .innerJoin(users, and(eq(users.siteId, userPhones.siteId), eq(users.id, userPhones.userId), isNull(users.blockedAt)))
    .where(and(eq(userPhones.siteId, ctx.site.id), eq(userPhones.phone, phone)))
  if (!row) return { phone, owner: undefined }
  const { id, email, login, emailConfirmedAt, lastSeenAt, locale } = row.user
  return {
    phone,
    owner: {
      kind: 'user',
      id,
      siteId: ctx.site.id,
      sessionId: '',
      email,
      login,
      type: 'participant',
      confirmed: emailConfirmedAt !== null,
      lastSeenAt,
      // Sender numbers can be forged: a text can answer for the account's owner but not act as an administrator.
      roles: [],
      roleName: 'participant',
      supportGranted: false,
      language: matchLanguage(locale, ctx.site.languages) ?? ctx.site.locale,
    },
  }
}

/** The context of answering by text, as the number's account if there is one. */
export const createTexterCtx = (ctx: Ctx, { owner }: Texter, language: Language): Ctx =>
  withLanguage({ ...ctx, viewer: owner ?? VISITOR }, language)

const createKeyedHmac = (ctx: Ctx, text: string) => createHmac('sha256', ctx.runtime.secret).update(`text/${ctx.site.id}/${text}`)

/** The key of a number's conversations; the number cannot be recovered from it. */
export const hashPhone = (ctx: Ctx, phone: string): Buffer => createKeyedHmac(ctx, `number/${phone}`).digest()

/** Limits a survey with one response per browser to one per number. */
export const createNumberToken = (ctx: Ctx, phone: string): NumberToken =>
  createKeyedHmac(ctx, `once/${phone}`).digest('base64url') as NumberToken

/** The secret that only a response's sender knows. It is derived, because a texter has nowhere to keep one. */
export const createSendKey = (ctx: Ctx, responseId: string): string => createKeyedHmac(ctx, `sending/${responseId}`).digest('base64url')
