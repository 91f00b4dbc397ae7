import * as v from 'valibot'
import { AppError } from '#app/lib/app-error.ts'
import { parseLocalPath } from '#app/lib/local-path.ts'
import { requireValid } from '#app/lib/validate.ts'
import { createFormHandler, type FormValues } from '#app/server/forms.ts'
import { givenPasswordSchema, secondStepCodeSchema } from '../accounts.schema.ts'
import type { SentSecondStep } from './check-second-step.server.ts'
import { confirmIdentity } from './confirm-identity.server.ts'
import { addPasskey, removePasskey } from './passkeys.server.ts'
import { passkeyAnswerSchema, passkeyNameSchema } from './second-step.schema.ts'
import { confirmAppSetup, removeApp, renewRecoveryCodes } from './second-step.server.ts'

const setupSchema = v.object({ setup: v.pipe(v.string(), v.nonEmpty(), v.maxLength(400)) })
const passwordSchema = v.object({ password: givenPasswordSchema })
const passkeySchema = v.object({ passkey: v.pipe(v.string(), v.uuid()) })
const passkeyNameFormSchema = v.object({ name: passkeyNameSchema })
const passkeyAnswerFormSchema = v.object({ passkey: passkeyAnswerSchema })

/** The app's code, or a recovery code from its own field. @throws {AppError} `required` at `/code` */
function requireCode(values: FormValues): string {
  const recovery = v.safeParse(secondStepCodeSchema, values['recoveryCode'])
  return recovery.success ? recovery.output : requireValid(v.object({ code: secondStepCodeSchema }), values).code
}

/** A passkey's answer or a code. @throws {AppError} `required` at `/code` */
export function requireSentSecondStep(values: FormValues): SentSecondStep {
  const passkey = v.safeParse(passkeyAnswerSchema, values['passkey'])
  return passkey.success ? { passkey: passkey.output } : { code: requireCode(values) }
}

/** The small forms of the page about two-step sign-in, distinguished by their `form` field. */
export const secondStepForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  switch (values['form']) {
    case 'remove-app':
      await removeApp(ctx)
      return path('/account/two-step?done=app-removed')
    case 'remove-passkey':
      await removePasskey(ctx, requireValid(passkeySchema, values).passkey)
      return path('/account/two-step?done=passkey-removed')
    case 'renew-codes':
      return { shownOnce: { codes: await renewRecoveryCodes(ctx) } }
    default:
      throw new AppError('bad-request')
  }
})

export const appSetupForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  const { setup } = requireValid(setupSchema, values)
  const codes = await confirmAppSetup(ctx, { setup, code: requireCode(values) })
  return codes.length > 0 ? { shownOnce: { codes } } : path('/account/two-step')
})

export const passkeySetupForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  // The browser is asked for a passkey only once there is a name.
  const { name } = requireValid(passkeyNameFormSchema, values)
  const codes = await addPasskey(ctx, { name, ...requireValid(passkeyAnswerFormSchema, values) })
  return codes.length > 0 ? { shownOnce: { codes } } : path('/account/two-step?done=passkey-added')
})

export const confirmIdentityForm = createFormHandler({ by: 'account' }, async ({ ctx, values, request, path }) => {
  const hasSecondStep = ctx.viewer.kind === 'user' && ctx.viewer.hasSecondStep
  await confirmIdentity(ctx, hasSecondStep ? requireSentSecondStep(values) : requireValid(passwordSchema, values))
  return parseLocalPath(new URL(request.url).searchParams.get('next')) ?? path('/account')
})
