import * as v from 'valibot'
import { addDoneParam, redirectSignedIn } from '#app/features/accounts/accounts.forms.server.ts'
import { deleteAccountSchema, firstAdminSchema, firstSiteSchema } from '#app/features/accounts/accounts.schema.ts'
import { cancelEmailChange } from '#app/features/accounts/email-change.server.ts'
import { resendConfirmation } from '#app/features/accounts/registration.server.ts'
import { markOwnNotificationsRead } from '#app/features/notifications/notifications.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { requireValid } from '#app/lib/validate.ts'
import { createExpiredTokenCookie } from '#app/server/auth/token-cookie.ts'
import type { Ctx } from '#app/server/context.ts'
import { createFormHandler, redirectWithCookies } from '#app/server/forms.ts'
import { isHttps } from '#app/server/site-url.ts'
import { createFirstAdmin, hasNoSites } from './first-admin.server.ts'
import { deleteOwnAccount, readOwnData } from './own-data.server.ts'

/** The small forms of the account page, distinguished by their `form` field. */
export const accountForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  switch (values['form']) {
    case 'download':
      return downloadOwnData(ctx)
    case 'notifications':
      await markOwnNotificationsRead(ctx)
      return `${path('/account')}#notifications`
    case 'resend':
      await resendConfirmation(ctx)
      return path(addDoneParam('/account', 'confirmation-sent'))
    case 'cancel-email':
      await cancelEmailChange(ctx)
      return path(addDoneParam('/account', 'email-cancelled'))
    default:
      throw new AppError('bad-request')
  }
})

export const deleteAccountForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  await deleteOwnAccount(ctx, requireValid(deleteAccountSchema, values))
  return redirectWithCookies(path(addDoneParam('/sign-in', 'deleted')), [createExpiredTokenCookie(isHttps(ctx))])
})

export const firstAdminForm = createFormHandler({ by: 'anyone' }, async ({ ctx, values }) => {
  const wanted = { ...values, languages: [values['languages'] ?? []].flat() }
  const site = (await hasNoSites(ctx.runtime.database)) ? firstSiteSchema.entries : {}
  const { token, login, email, password, ...rest } = requireValid(v.object({ ...firstAdminSchema.entries, ...site }), wanted)
  const made = v.safeParse(firstSiteSchema, rest)
  const session = await createFirstAdmin(ctx, { token, login, email, password, site: made.success ? made.output : undefined })
  return redirectSignedIn(ctx, session, session.newSiteId ? `/admin/sites/${session.newSiteId}/administrators` : '/admin')
})

async function downloadOwnData(ctx: Ctx): Promise<Response> {
  const data = await readOwnData(ctx)
  return new Response(`${JSON.stringify(data, null, 2)}\n`, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${ctx.site.slug}-${ctx.now().toISOString().slice(0, 10)}.json"`,
      'cache-control': 'private, no-store',
    },
  })
}
