import { getCookie } from '@tanstack/react-start/server'
import * as v from 'valibot'
import type { Fault } from '#app/lib/app-error.ts'
import { parseLocalPath } from '#app/lib/local-path.ts'
import { requireValid, validateInput } from '#app/lib/validate.ts'
import { findPasswordFault } from '#app/server/auth/passwords.ts'
import { DEVICE_COOKIE, createKnownDeviceCookie } from '#app/server/auth/known-device.ts'
import { createExpiredTokenCookie, createTokenCookie } from '#app/server/auth/token-cookie.ts'
import { followAfterSignIn } from '#app/features/follows/follow-intent.server.ts'
import { type Ctx, withViewer } from '#app/server/context.ts'
import { createFormHandler, type FormValues, redirectWithCookies } from '#app/server/forms.ts'
import { isHttps } from '#app/server/site-url.ts'
import {
  changeEmailSchema,
  changePasswordSchema,
  forgotPasswordSchema,
  profileSchema,
  type RegisterInput,
  registerSchema,
  resetPasswordSchema,
  signInSchema,
  tokenSchema,
} from './accounts.schema.ts'
import { listGuessableWords } from './account-realm.server.ts'
import type { CompletedAction } from './accounts.search.ts'
import { requestEmailChange } from './email-change.server.ts'
import { redirectToMailed } from './mailed-address.server.ts'
import { changePassword, requestPasswordReset, resetPassword } from './passwords.server.ts'
import { updateProfile } from './profile.server.ts'
import { confirmEmail } from './registration.server.ts'
import { beginSignIn, completeSignIn } from './second-step/pending-sign-ins.server.ts'
import { signInWithPasskey } from './second-step/passkey-sign-in.server.ts'
import { passkeyAnswerSchema } from './second-step/second-step.schema.ts'
import { requireSentSecondStep } from './second-step/second-step.forms.server.ts'
import { endOtherSessions, endSession, type NewSession, signOut } from './sessions.server.ts'

/** Browsers send a ticked checkbox with any value, and an unticked one not at all. */
const checkboxSchema = v.pipe(
  v.optional(v.string(), ''),
  v.transform((value) => value !== ''),
)
const formSchemas = {
  register: v.object({ ...registerSchema.entries, marketingConsent: checkboxSchema }),
  profile: v.object({ ...profileSchema.entries, marketingConsent: checkboxSchema }),
  link: v.object({ token: tokenSchema }),
  pending: v.object({ pending: tokenSchema }),
  passkey: v.object({ passkey: passkeyAnswerSchema }),
  session: v.object({ session: v.pipe(v.string(), v.uuid()) }),
}

export const signInForm = createFormHandler({ by: 'anyone' }, async ({ ctx, values, request, path }) => {
  const next = findNextPath(request) ?? path('/')
  if (values['form'] === 'second-step') {
    const { pending } = requireValid(formSchemas.pending, values)
    const session = await completeSignIn(ctx, pending, requireSentSecondStep(values), getCookie(DEVICE_COOKIE))
    await signOut(ctx)
    return continueSignedIn(ctx, session, next, path)
  }
  if (values['form'] === 'passkey') {
    const session = await signInWithPasskey(ctx, requireValid(formSchemas.passkey, values).passkey, getCookie(DEVICE_COOKIE))
    await signOut(ctx)
    return continueSignedIn(ctx, session, next, path)
  }
  const begun = await beginSignIn(ctx, requireValid(signInSchema, values), getCookie(DEVICE_COOKIE))
  if ('pending' in begun) return { shownOnce: begun }
  await signOut(ctx)
  return continueSignedIn(ctx, begun.session, next, path)
})

export const signOutForm = createFormHandler({ by: 'anyone' }, async ({ ctx, path }) => {
  await signOut(ctx)
  return redirectWithCookies(path('/'), [createExpiredTokenCookie(isHttps(ctx))])
})

/**
 * What a form for a new account says. A weak password is reported together with the faults of the other fields: it has to be typed again in
 * any case.
 * @returns faults instead of throwing them, for a form that asks more than this
 */
export function readRegistration(
  ctx: Ctx,
  values: FormValues,
): { registration: RegisterInput; faults: [] } | { registration: undefined; faults: Fault[] } {
  const result = validateInput(formSchemas.register, values)
  if (result.ok) return { registration: result.output, faults: [] }
  const readText = (name: string) => [values[name] ?? ''].flat()[0] ?? ''
  const isPasswordFaulty = result.faults.some(({ pointer }) => pointer === '/password')
  const fault = isPasswordFaulty
    ? undefined
    : findPasswordFault(readText('password'), listGuessableWords(ctx, { email: readText('email'), login: readText('login') }))
  return { registration: undefined, faults: fault ? [...result.faults, { ...fault, pointer: '/password' }] : result.faults }
}

export const confirmEmailForm = createFormHandler({ by: 'anyone' }, async ({ ctx, values, path }) => {
  const { kind } = await confirmEmail(ctx, requireValid(formSchemas.link, values).token)
  return path(addDoneParam(ctx.viewer.kind === 'user' ? '/account' : '/sign-in', kind === 'change-email' ? 'email-changed' : 'confirmed'))
})

export const forgotPasswordForm = createFormHandler({ by: 'anyone' }, async ({ ctx, values, path }) => {
  const request = requireValid(forgotPasswordSchema, values)
  await requestPasswordReset(ctx, request)
  return redirectToMailed(ctx, path('/check-mail?for=forgot'), request.email)
})

export const resetPasswordForm = createFormHandler({ by: 'anyone' }, async ({ ctx, values, path }) => {
  const account = await resetPassword(ctx, requireValid(resetPasswordSchema, values))
  const signIn = path(addDoneParam('/sign-in', 'password-sign-in'))
  // Marks this device as known, so that guesses by strangers cannot lock the owner out here.
  return redirectWithCookies(
    // An invited administrator starts where the first steps are.
    account.isAdministrator ? `${signIn}&next=${encodeURIComponent('/admin')}` : signIn,
    [createExpiredTokenCookie(isHttps(ctx)), createDeviceCookie(ctx, account)],
  )
})

export const profileForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  await updateProfile(ctx, requireValid(formSchemas.profile, values))
  return path(addDoneParam('/account', 'profile'))
})

export const changeEmailForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  await requestEmailChange(ctx, requireValid(changeEmailSchema, values))
  return path(addDoneParam('/account', 'email-asked'))
})

export const changePasswordForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  await changePassword(ctx, requireValid(changePasswordSchema, values))
  return path(addDoneParam('/account', 'password'))
})

export const devicesForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  if (values['form'] === 'others') {
    await endOtherSessions(ctx)
    return path(addDoneParam('/account/devices', 'sessions-ended'))
  }
  const { session } = requireValid(formSchemas.session, values)
  await endSession(ctx, session)
  const isCurrent = ctx.viewer.kind === 'user' && ctx.viewer.sessionId === session
  return isCurrent
    ? redirectWithCookies(path('/'), [createExpiredTokenCookie(isHttps(ctx))])
    : path(addDoneParam('/account/devices', 'session-ended'))
})

export const addDoneParam = (path: string, done: CompletedAction) => `${path}?done=${done}`

/** Where to continue after signing in. */
export const findNextPath = (request: Request): string | undefined => parseLocalPath(new URL(request.url).searchParams.get('next'))

/** Also does what the person asked for before signing in. A required second step is set up before anything else. */
async function continueSignedIn(ctx: Ctx, session: NewSession, next: string, path: (to: string) => string): Promise<Response> {
  const signedIn = await withViewer(ctx, session.token)
  const location = (await followAfterSignIn(signedIn, next)) ?? next
  const owes = signedIn.viewer.kind === 'user' && signedIn.viewer.owesSecondStep
  return redirectSignedIn(ctx, session, owes ? `${path('/account/two-step/app')}?next=${encodeURIComponent(location)}` : location)
}

export const redirectSignedIn = (ctx: Ctx, session: NewSession, location: string) =>
  redirectWithCookies(location, [
    createTokenCookie(session.token, isHttps(ctx)),
    createDeviceCookie(ctx, { siteId: session.siteId, id: session.userId }),
  ])

const createDeviceCookie = (ctx: Ctx, account: { siteId: string; id: string }) =>
  createKnownDeviceCookie(ctx, getCookie(DEVICE_COOKIE), account)
