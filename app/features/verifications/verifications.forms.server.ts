import { appendResponseHeader } from '@tanstack/react-start/server'
import { readInvitation, requireBrowserToken } from '#app/features/contributions/posting/contribution-cookies.server.ts'
import { buildInvitationCookie } from '#app/features/invitations/invitation-cookies.server.ts'
import { parseLocalPath } from '#app/lib/local-path.ts'
import { ELIGIBILITY_FIELDS } from '#app/lib/vocabulary/verifications.ts'
import { createFormHandler, seeOther } from '#app/server/forms.ts'
import { endOwnVerification, verifyByList } from './verifications.server.ts'

const readText = (sent: string | string[] | undefined): string => (typeof sent === 'string' ? sent : '')

/** The forms of `/verify`: being looked up in a list, after which people go on where they came from, and ending a verification. */
export const verifyForm = createFormHandler({ by: 'anyone' }, async ({ ctx, values, request, path }) => {
  const next = parseLocalPath(new URL(request.url).searchParams.get('next'))
  const secret = readInvitation(ctx.site.id)
  if (values['end'] !== undefined) {
    await endOwnVerification(ctx, readText(values['end']), secret)
    return next ? `${path('/verify')}?${new URLSearchParams({ next })}` : path('/verify')
  }
  const browser = requireBrowserToken(ctx)
  // A refused try counts for this browser too: the page that says so brings its cookie.
  for (const cookie of browser.cookies) appendResponseHeader('set-cookie', cookie)
  const verified = await verifyByList(ctx, {
    listId: readText(values['form']),
    fields: Object.fromEntries(ELIGIBILITY_FIELDS.map((field) => [field, readText(values[field])])),
    browserToken: browser.token,
    secret,
  })
  const headers = new Headers({ 'cache-control': 'private, no-store' })
  for (const cookie of browser.cookies) headers.append('set-cookie', cookie)
  if (verified.secret) headers.append('set-cookie', buildInvitationCookie(ctx, ctx.site.id, verified.secret))
  return seeOther(next ?? path('/verify'), headers)
})
