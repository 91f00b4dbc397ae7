import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { getLedgerPage } from './ledger-page.server.ts'

/** The public ledger of an activity. */
export const readLedgerPage = createServerFn()
  .validator(createInputValidator(v.object({ project: slugPartSchema, activity: slugPartSchema })))
  .handler(({ data, context: { ctx } }) => getLedgerPage(ctx, data))
