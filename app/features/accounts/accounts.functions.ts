import { createServerFn } from '@tanstack/react-start'
import { setResponseStatus } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { isAppError } from '#app/lib/app-error.ts'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { loadFirstAdminSetup } from './first-admin.server.ts'
import { findMailedAddress } from './mailed-address.server.ts'
import { loadPasswordReset } from './passwords.server.ts'
import { readAccount as readAccountOf } from './profile.server.ts'
import { loadConfirmation } from './registration.server.ts'
import { listSessions } from './sessions.server.ts'

const linkTokenSchema = v.object({ token: v.optional(v.string(), '') })

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

/** What the first administrator's link would create; null with status 410 if the link has expired. */
export const readSetup = createServerFn()
  .validator(createInputValidator(linkTokenSchema))
  .handler(async ({ data, context }) => readUnlessExpired(() => loadFirstAdminSetup(context.ctx, data.token)))

async function readUnlessExpired<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (!isAppError(error, 'link-expired')) throw error
    setResponseStatus(410)
    return null
  }
}
