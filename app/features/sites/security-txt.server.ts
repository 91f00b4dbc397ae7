import type { Ctx } from '#app/server/context.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'

export const SECURITY_TXT_PATH = '/.well-known/security.txt'

const DAY_MS = 86_400_000
/** RFC 9116 asks for less than a year. */
const EXPIRES_AFTER_DAYS = 180

/** Tells people who found a weakness where to report it (RFC 9116). 404 if neither the operator nor the site has a contact. */
export function serveSecurityTxt({ context: { ctx } }: { context: RequestContext }): Response {
  const text = buildSecurityTxt(ctx)
  if (text === undefined) return new Response(null, { status: 404 })
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

function buildSecurityTxt(ctx: Ctx): string | undefined {
  const { site, runtime } = ctx
  const contact = runtime.env.SECURITY_CONTACT ?? site.contactEmail
  if (!contact) return undefined
  // Whole days, so that the file stays the same for a day.
  const expires = new Date((Math.floor(ctx.now().getTime() / DAY_MS) + EXPIRES_AFTER_DAYS) * DAY_MS)
  return [
    `Contact: ${toAddress(contact)}`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${site.languages.join(', ')}`,
    `Canonical: ${buildSiteUrl(ctx, SECURITY_TXT_PATH)}`,
    '',
  ].join('\n')
}

const toAddress = (contact: string): string => (/^(https|mailto|tel):/.test(contact) ? contact : `mailto:${contact}`)
