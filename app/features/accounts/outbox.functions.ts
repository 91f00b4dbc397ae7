import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idPartSchema } from '#app/lib/uuid.ts'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { listOutbox, checkMailService, readOutboxMail } from './outbox.server.ts'
import { MAILS_PER_PAGE } from './outbox.schema.ts'

export const getOutbox = createServerFn()
  .validator(createInputValidator(v.object({ page: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)) })))
  .handler(({ context, data }) => listOutbox(context.ctx, { offset: (data.page - 1) * MAILS_PER_PAGE, limit: MAILS_PER_PAGE }))

/** True if the site can send email; otherwise invitations are handed over as links. */
export const getMailService = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => ({ sends: await checkMailService(context.ctx) }))

export const getOutboxMail = createServerFn()
  .validator(createInputValidator(v.object({ id: idPartSchema })))
  .handler(({ context, data }) => readOutboxMail(context.ctx, data.id))
