import { createServerFn } from '@tanstack/react-start'
import { linkTokenSchema, readUnlessExpired } from '#app/features/accounts/expired-links.server.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { loadFirstAdminSetup } from './first-admin.server.ts'

/** What the first administrator's link would create; null with status 410 if the link has expired. */
export const readSetup = createServerFn()
  .validator(createInputValidator(linkTokenSchema))
  .handler(async ({ data, context }) => readUnlessExpired(() => loadFirstAdminSetup(context.ctx, data.token)))
