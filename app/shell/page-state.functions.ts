import { createServerFn } from '@tanstack/react-start'
import { getCookie } from '@tanstack/react-start/server'
import { TOKEN_ITEM } from '#app/lib/stored-items.ts'
import { noInput } from '#app/lib/validate.ts'
import { parseConsent, CONSENT_COOKIE } from './consent.ts'
import { readCurrentSite, readCurrentUser, readSiteSettings } from './page-state.server.ts'

export const getCurrentUser = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => ({ user: readCurrentUser(context.ctx) }))

export const getCurrentSite = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => ({ site: await readCurrentSite(context.ctx) }))

export const getSiteSettings = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => readSiteSettings(context.ctx))

/** The token in the request's cookie, if it belongs to a signed-in person. Pages for everybody have none. */
export const getToken = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => (context.ctx.viewer.kind === 'user' ? { token: getCookie(TOKEN_ITEM.name) ?? null } : { token: null }))

/** The visitor's consent choice, if the site requires one. No other cookie of a visitor may affect a page for everybody. */
export const getConsent = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => ({
    choice: context.ctx.site.consentRequired ? parseConsent(getCookie(CONSENT_COOKIE)) : null,
  }))
