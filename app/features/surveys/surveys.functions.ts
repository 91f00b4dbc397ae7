import { createServerFn } from '@tanstack/react-start'
import { getCookie, setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { isAppError } from '#app/lib/app-error.ts'
import { siteUrl } from '#app/server/site-url.ts'
import { BROWSER_COOKIE, RECEIPT_COOKIE } from './surveys.cookies.server.ts'
import { findContribution } from './surveys.receipts.server.ts'
import { newSending } from './surveys.responses.server.ts'
import { getPublicResults } from './surveys.results.server.ts'
import { getSurveyForAnswering } from './surveys.server.ts'

const slug = v.pipe(v.string(), v.maxLength(200))
const addressSchema = v.object({ project: slug, survey: slug, preview: v.optional(v.pipe(v.string(), v.maxLength(200))) })

/** A survey as its page puts it to the viewer, with what makes this one sending of it known again. */
export const readSurvey = createServerFn()
  .validator(addressSchema)
  .handler(async ({ data, context: { ctx } }) => {
    neverStored()
    const now = ctx.now()
    return { ...(await getSurveyForAnswering(ctx, data, getCookie(BROWSER_COOKIE))), sending: newSending(now), now }
  })

/** What a survey's participants said, where that is published. */
export const readPublicResults = createServerFn()
  .validator(addressSchema)
  .handler(async ({ data, context: { ctx } }) => ({ ...(await getPublicResults(ctx, data)), now: ctx.now() }))

/** The contribution whose receipt the browser holds just now; null where it holds none. */
export const readReceipt = createServerFn().handler(async ({ context: { ctx } }) => {
  neverStored()
  const code = getCookie(RECEIPT_COOKIE)
  const address = siteUrl(ctx, '/receipt')
  if (!code) return { contribution: null, address }
  try {
    return { contribution: await findContribution(ctx, code), address }
  } catch (error) {
    if (isAppError(error)) return { contribution: null, address }
    throw error
  }
})

/** Each page of a survey is made for one person: it carries the id of one sending, and what that browser may do. */
const neverStored = () => setResponseHeader('cache-control', 'private, no-store')
