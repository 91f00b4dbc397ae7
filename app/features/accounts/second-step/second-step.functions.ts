import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { hasFreshSignIn } from '#app/features/permissions/fresh-sign-in.policy.server.ts'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { tokenSchema } from '../accounts.schema.ts'
import { beginPasskeyConfirmation, readConfirmation as readConfirmationOf } from './confirm-identity.server.ts'
import { beginPasskeyOnlySignIn } from './passkey-sign-in.server.ts'
import { beginPasskeySetup } from './passkeys.server.ts'
import { beginPasskeySignIn } from './pending-sign-ins.server.ts'
import { beginAppSetup, readSecondStep as readSecondStepOf } from './second-step.server.ts'

export const readSecondStep = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readSecondStepOf(context.ctx))

/** A key to set up an app with; null if the viewer has to confirm first that it is them. After a refused code, the same key again. */
export const readAppSetup = createServerFn()
  .validator(noInput)
  .handler(({ context: { ctx, form } }) => {
    const setup = form?.values['setup']
    return hasFreshSignIn(ctx) ? beginAppSetup(ctx, typeof setup === 'string' ? setup : undefined) : null
  })

/** What a browser makes a new passkey from, as JSON. */
export const startPasskeySetup = createServerFn({ method: 'POST' })
  .validator(noInput)
  .handler(async ({ context }) => JSON.stringify(await beginPasskeySetup(context.ctx)))

/**
 * What a browser asks a passkey to sign, as JSON: for a sign-in whose second step is due, for a sign-in with nothing but the passkey, or for the
 * viewer's session.
 */
export const startPasskeyUse = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.object({ pending: v.optional(tokenSchema), alone: v.optional(v.boolean(), false) })))
  .handler(async ({ data: { pending, alone }, context: { ctx } }) => {
    if (alone) return JSON.stringify(await beginPasskeyOnlySignIn(ctx))
    return JSON.stringify(await (pending === undefined ? beginPasskeyConfirmation(ctx) : beginPasskeySignIn(ctx, pending)))
  })

/** What the viewer confirms with that it is them. */
export const readConfirmation = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readConfirmationOf(context.ctx))

/** True if the viewer has a role that does not count before they set up two-step sign-in. */
export const readOwesSecondStep = createServerFn()
  .validator(noInput)
  .handler(({ context: { ctx } }) => ctx.viewer.kind === 'user' && ctx.viewer.owesSecondStep === true)
