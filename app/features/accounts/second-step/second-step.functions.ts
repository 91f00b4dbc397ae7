import { createServerFn } from '@tanstack/react-start'
import { hasFreshSignIn } from '#app/features/permissions/fresh-sign-in.policy.server.ts'
import { noInput } from '#app/lib/validate.ts'
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

/** What the viewer confirms with that it is them. */
export const readConfirmation = createServerFn()
  .validator(noInput)
  .handler(({ context: { ctx } }): { by: 'code' | 'password' } => ({
    by: ctx.viewer.kind === 'user' && ctx.viewer.hasSecondStep ? 'code' : 'password',
  }))

/** True if the viewer has a role that does not count before they set up two-step sign-in. */
export const readOwesSecondStep = createServerFn()
  .validator(noInput)
  .handler(({ context: { ctx } }) => ctx.viewer.kind === 'user' && ctx.viewer.owesSecondStep === true)
