import { createServerFn } from '@tanstack/react-start'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { linkTokenSchema, readUnlessExpired } from './expired-links.server.ts'
import { findMailedAddress } from './mailed-address.server.ts'
import { loadPasswordReset } from './passwords.server.ts'
import { readAccount as readAccountOf } from './profile.server.ts'
import { loadConfirmation } from './registration.server.ts'
import { listSessions } from './sessions.server.ts'

export const readAccount = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => readAccountOf(context.ctx))

/** Where an email was just sent, for the page that says so. */
export const readMailedAddress = createServerFn()
  .validator(noInput)
  .handler(({ context }) => findMailedAddress(context.ctx))

export const readSessions = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => listSessions(context.ctx))

/** What the emailed link would confirm; null with status 410 if the link has expired. */
export const readConfirmation = createServerFn()
  .validator(createInputValidator(linkTokenSchema))
  .handler(async ({ data, context }) => readUnlessExpired(() => loadConfirmation(context.ctx, data.token)))

/** Whose password the emailed link would reset; null with status 410 if the link has expired. */
export const readPasswordReset = createServerFn()
  .validator(createInputValidator(linkTokenSchema))
  .handler(async ({ data, context }) => readUnlessExpired(() => loadPasswordReset(context.ctx, data.token)))
