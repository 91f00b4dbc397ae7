import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idSchema } from '#app/lib/uuid.ts'
import { listOutbox, readOutboxMail } from './outbox.server.ts'
import { MAILS_PER_PAGE } from './outbox.schema.ts'

export const getOutbox = createServerFn()
  .validator(v.object({ page: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)) }))
  .handler(({ context, data }) => listOutbox(context.ctx, { offset: (data.page - 1) * MAILS_PER_PAGE, limit: MAILS_PER_PAGE }))

export const getOutboxMail = createServerFn()
  .validator(v.object({ id: idSchema }))
  .handler(({ context, data }) => readOutboxMail(context.ctx, data.id))
