import { createServerFn } from '@tanstack/react-start'
import { getCookie } from '@tanstack/react-start/server'
import { asConsent, CONSENT_COOKIE } from './consent.ts'
import { readCurrentSite, readCurrentUser, readSiteSettings } from './page-state.server.ts'

/** Name of the cookie that holds a signed-in person's token. */
const TOKEN_COOKIE = 'token'

export const getCurrentUser = createServerFn().handler(async ({ context }) => ({ user: readCurrentUser(context.ctx) }))

export const getCurrentSite = createServerFn().handler(async ({ context }) => ({ site: await readCurrentSite(context.ctx) }))

export const getSiteSettings = createServerFn().handler(async ({ context }) => readSiteSettings(context.ctx))

/** The token of the request's cookie, where it is a signed-in person's. Pages for everybody carry none. */
export const getToken = createServerFn().handler(async ({ context }) =>
  context.ctx.viewer.kind === 'user' ? { token: getCookie(TOKEN_COOKIE) ?? null } : { token: null },
)

/** What the visitor has answered, where the site asks. Nothing else of a visitor's cookies may reach a page for everybody. */
export const getConsent = createServerFn().handler(async ({ context }) => ({
  choice: context.ctx.site.consentRequired ? asConsent(getCookie(CONSENT_COOKIE)) : null,
}))
