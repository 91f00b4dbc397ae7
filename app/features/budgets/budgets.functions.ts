import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { readInvitation } from '#app/features/invitations/invitation-cookies.server.ts'
import { readReceiptCode } from '#app/features/participation/receipt-cookies.server.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { BALLOT_ORDERS } from './budgets.schema.ts'
import { getBallot, getBallotReceipt, getBudgetResults, listRoundCards } from './budget-views.server.ts'
import { readChoice } from './voting/ballot-cookies.server.ts'

/** The part of a map to show, as `parseBox` reads it. */
const bboxSchema = v.optional(v.pipe(v.string(), v.maxLength(60)))

const addressSchema = v.object({ project: slugPartSchema, round: slugPartSchema })

/** What the reader has chosen or cast. Private. */
const forbidCaching = () => setResponseHeader('cache-control', 'private, no-store')

/** The ballot of the reader. */
export const readBallot = createServerFn()
  .validator(
    createInputValidator(v.object({ ...addressSchema.entries, order: v.optional(v.picklist(BALLOT_ORDERS), 'drawn'), bbox: bboxSchema })),
  )
  .handler(({ data: { order, bbox, ...address }, context: { ctx } }) => {
    forbidCaching()
    return getBallot(ctx, address, { order, bbox, readChoice, readInvitation })
  })

/** The receipt of a ballot that the browser holds. */
export const readBallotReceipt = createServerFn()
  .validator(createInputValidator(addressSchema))
  .handler(({ data, context: { ctx } }) => {
    forbidCaching()
    return getBallotReceipt(ctx, data, readReceiptCode())
  })

/** A certified result, one pot at a time. */
export const readBudgetResults = createServerFn()
  .validator(
    createInputValidator(v.object({ ...addressSchema.entries, pot: v.pipe(v.number(), v.integer(), v.minValue(1)), bbox: bboxSchema })),
  )
  .handler(({ data: { pot, bbox, ...address }, context: { ctx } }) => getBudgetResults(ctx, address, { pot, bbox }))

/** The rounds of a project. */
export const readProjectRounds = createServerFn()
  .validator(createInputValidator(v.object({ slug: v.string(), preview: v.optional(v.string()) })))
  .handler(({ data, context: { ctx } }) => listRoundCards(ctx, data))
