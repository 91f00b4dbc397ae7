import { getCookie } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { AppError } from '#app/lib/app-error.ts'
import { localPath } from '#app/lib/local-path.ts'
import { parse } from '#app/lib/validate.ts'
import { DEVICE_COOKIE, knownDeviceCookie } from '#app/server/auth/known-device.ts'
import { endedTokenCookie, tokenCookie } from '#app/server/auth/token-cookie.ts'
import type { Ctx } from '#app/server/context.ts'
import { formHandler, seeOther } from '#app/server/forms.ts'
import { isHttps } from '#app/server/site-url.ts'
import {
  changeEmailSchema,
  changePasswordSchema,
  deleteAccountSchema,
  firstAdminSchema,
  firstSiteSchema,
  forgotPasswordSchema,
  profileSchema,
  registerSchema,
  resetPasswordSchema,
  signInSchema,
  tokenSchema,
} from './accounts.schema.ts'
import type { Done } from './accounts.search.ts'
import { cancelEmailChange, requestEmailChange } from './email-change.server.ts'
import { createFirstAdmin, isEmpty } from './first-admin.server.ts'
import { deleteOwnAccount, readOwnData } from './own-data.server.ts'
import { changePassword, requestPasswordReset, resetPassword } from './passwords.server.ts'
import { updateProfile } from './profile.server.ts'
import { confirmEmail, register, resendConfirmation } from './registration.server.ts'
import { endOtherSessions, endSession, type NewSession, signIn, signOut } from './sessions.server.ts'

/** A ticked box is sent as any value, an empty one not at all. */
const ticked = v.pipe(
  v.optional(v.string(), ''),
  v.transform((value) => value !== ''),
)
const form = {
  register: v.object({ ...registerSchema.entries, marketingConsent: ticked }),
  profile: v.object({ ...profileSchema.entries, marketingConsent: ticked }),
  link: v.object({ token: tokenSchema }),
  session: v.object({ session: v.pipe(v.string(), v.uuid()) }),
}

export const signInForm = formHandler({ by: 'anyone' }, async ({ ctx, values, request, path }) => {
  const session = await signIn(ctx, parse(signInSchema, values), getCookie(DEVICE_COOKIE))
  await signOut(ctx)
  return signedIn(ctx, session, nextOf(request) ?? path('/'))
})

export const signOutForm = formHandler({ by: 'anyone' }, async ({ ctx, path }) => {
  await signOut(ctx)
  return go(path('/'), endedTokenCookie(isHttps(ctx)))
})

export const registerForm = formHandler({ by: 'anyone' }, async ({ ctx, values, path }) => {
  await register(ctx, parse(form.register, values))
  return path('/check-mail?for=register')
})

export const confirmEmailForm = formHandler({ by: 'anyone' }, async ({ ctx, values, path }) => {
  const { kind } = await confirmEmail(ctx, parse(form.link, values).token)
  return path(doneAt(ctx.viewer.kind === 'user' ? '/account' : '/sign-in', kind === 'change-email' ? 'email-changed' : 'confirmed'))
})

export const forgotPasswordForm = formHandler({ by: 'anyone' }, async ({ ctx, values, path }) => {
  await requestPasswordReset(ctx, parse(forgotPasswordSchema, values))
  return path('/check-mail?for=forgot')
})

export const resetPasswordForm = formHandler({ by: 'anyone' }, async ({ ctx, values, path }) => {
  const account = await resetPassword(ctx, parse(resetPasswordSchema, values))
  // Whoever opened the link may sign in from here, whatever strangers try meanwhile.
  return go(path(doneAt('/sign-in', 'password-sign-in')), endedTokenCookie(isHttps(ctx)), deviceCookie(ctx, account))
})

/** The small forms of the account's own page, told apart by their field `form`. */
export const accountForm = formHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  switch (values['form']) {
    case 'download':
      return download(ctx)
    case 'resend':
      await resendConfirmation(ctx)
      return path(doneAt('/account', 'confirmation-sent'))
    case 'cancel-email':
      await cancelEmailChange(ctx)
      return path(doneAt('/account', 'email-cancelled'))
    default:
      throw new AppError('bad-request')
  }
})

export const profileForm = formHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  await updateProfile(ctx, parse(form.profile, values))
  return path(doneAt('/account', 'profile'))
})

export const changeEmailForm = formHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  await requestEmailChange(ctx, parse(changeEmailSchema, values))
  return path(doneAt('/account', 'email-asked'))
})

export const changePasswordForm = formHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  await changePassword(ctx, parse(changePasswordSchema, values))
  return path(doneAt('/account', 'password'))
})

export const devicesForm = formHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  if (values['form'] === 'others') {
    await endOtherSessions(ctx)
    return path(doneAt('/account/devices', 'sessions-ended'))
  }
  const { session } = parse(form.session, values)
  await endSession(ctx, session)
  const isCurrent = ctx.viewer.kind === 'user' && ctx.viewer.sessionId === session
  return isCurrent ? go(path('/'), endedTokenCookie(isHttps(ctx))) : path(doneAt('/account/devices', 'session-ended'))
})

export const deleteAccountForm = formHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  await deleteOwnAccount(ctx, parse(deleteAccountSchema, values))
  return go(path(doneAt('/sign-in', 'deleted')), endedTokenCookie(isHttps(ctx)))
})

export const firstAdminForm = formHandler({ by: 'anyone' }, async ({ ctx, values, path }) => {
  const wanted = { ...values, languages: [values['languages'] ?? []].flat() }
  const site = (await isEmpty(ctx.runtime.database)) ? firstSiteSchema.entries : {}
  const { token, login, email, password, ...rest } = parse(v.object({ ...firstAdminSchema.entries, ...site }), wanted)
  const made = v.safeParse(firstSiteSchema, rest)
  const session = await createFirstAdmin(ctx, { token, login, email, password, site: made.success ? made.output : undefined })
  return signedIn(ctx, session, path('/'))
})

const doneAt = (path: string, done: Done) => `${path}?done=${done}`

/** Where the page that led to signing in wants to go on. */
const nextOf = (request: Request): string | undefined => localPath(new URL(request.url).searchParams.get('next'))

const signedIn = (ctx: Ctx, session: NewSession, location: string) =>
  go(location, tokenCookie(session.token, isHttps(ctx)), deviceCookie(ctx, { siteId: session.siteId, id: session.userId }))

const deviceCookie = (ctx: Ctx, account: { siteId: string; id: string }) => knownDeviceCookie(ctx, getCookie(DEVICE_COOKIE), account)

function go(location: string, ...cookies: string[]): Response {
  const headers = new Headers({ 'cache-control': 'private, no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return seeOther(location, headers)
}

async function download(ctx: Ctx): Promise<Response> {
  const data = await readOwnData(ctx)
  return new Response(`${JSON.stringify(data, null, 2)}\n`, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${ctx.site.slug}-${ctx.now().toISOString().slice(0, 10)}.json"`,
      'cache-control': 'private, no-store',
    },
  })
}
