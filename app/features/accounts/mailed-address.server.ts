import { getCookie } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { buildCookieHeader } from '#app/lib/device-storage.ts'
import { MAILED_ITEM } from '#app/lib/stored-items.ts'
import type { Ctx } from '#app/server/context.ts'
import { seeOther } from '#app/server/forms.ts'
import { isHttps } from '#app/server/site-url.ts'
import { emailSchema } from './accounts.schema.ts'

/** Redirects to a page that says where the email was sent. */
export function redirectToMailed(ctx: Ctx, location: string, email: string): Response {
  const cookie = buildCookieHeader(MAILED_ITEM, encodeURIComponent(email), { https: isHttps(ctx) })
  return seeOther(location, { 'cache-control': 'private, no-store', 'set-cookie': cookie })
}

/** Where an email was just sent from this browser. */
export function findMailedAddress({ viewer }: Ctx): string | null {
  const read = v.safeParse(emailSchema, getCookie(MAILED_ITEM.name))
  // A page for people who are signed in may be shared.
  return viewer.kind === 'visitor' && read.success ? read.output : null
}
