import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { readReceiptCodes } from '#app/features/participation/receipt-cookies.server.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { getEventPage, getSignUpReceipt, listEventCards } from './event-views.server.ts'

const addressSchema = v.object({ project: slugPartSchema, event: slugPartSchema })

/** What the reader has signed up for. Private. */
const forbidCaching = () => setResponseHeader('cache-control', 'private, no-store')

/** An event with the form to sign up. */
export const readEventPage = createServerFn()
  .validator(createInputValidator(addressSchema))
  .handler(({ data, context: { ctx } }) => {
    forbidCaching()
    return getEventPage(ctx, data, readReceiptCodes())
  })

/** The receipt of a sign-up that the browser holds. */
export const readSignUpReceipt = createServerFn()
  .validator(createInputValidator(addressSchema))
  .handler(({ data, context: { ctx } }) => {
    forbidCaching()
    return getSignUpReceipt(ctx, data, readReceiptCodes())
  })

/** The events of a project. */
export const readProjectEvents = createServerFn()
  .validator(createInputValidator(v.object({ slug: v.string(), preview: v.optional(v.string()) })))
  .handler(({ data, context: { ctx } }) => listEventCards(ctx, data))
