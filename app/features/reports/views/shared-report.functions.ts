import { createServerFn } from '@tanstack/react-start'
import { setResponseStatus } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { createInputValidator } from '#app/lib/validate.ts'
import { readSharedReport } from './report-links.server.ts'

/** The report behind a link; with status 410 if the link has ended. */
export const openSharedReport = createServerFn()
  .validator(createInputValidator(v.object({ token: v.string() })))
  .handler(async ({ data, context }) => {
    const shared = await readSharedReport(context.ctx, data.token)
    if (!shared.report) setResponseStatus(410)
    return shared
  })
