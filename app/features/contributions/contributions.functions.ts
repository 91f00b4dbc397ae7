import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader, setResponseStatus } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { createSending } from '#app/features/surveys/responses/submit-response.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator, createQuerySchema } from '#app/lib/validate.ts'
import { findActivityRefusal, requireActivityAt } from './activities.policy.server.ts'
import { readBrowserToken } from './contribution-cookies.server.ts'
import { readNumber, readOwnKey, readSending } from './contributions.forms.server.ts'
import { readContributionSearch } from './contributions.schema.ts'
import { findSimilar, getContribution, getProjectActivities, listContributions, toActivityView } from './contributions.views.server.ts'
import { getOwnContribution } from './own-contributions.server.ts'

const addressSchema = v.object({ project: slugPartSchema, activity: slugPartSchema })
const numberPartSchema = v.pipe(v.string(), v.maxLength(40, 'not-found'))
const contributionSchema = v.object({ ...addressSchema.entries, number: numberPartSchema })

/** Stages and activities of a project. */
export const readProjectActivities = createServerFn()
  .validator(createInputValidator(v.object({ slug: v.string(), preview: v.optional(v.string()) })))
  .handler(({ data, context }) => getProjectActivities(context.ctx, data))

export const readContributions = createServerFn()
  .validator(createInputValidator(v.object({ ...addressSchema.entries, search: createQuerySchema(readContributionSearch) })))
  .handler(({ data: { search, ...address }, context }) => listContributions(context.ctx, address, search))

/** One contribution; one that is gone is answered with 410 and the reason. */
export const readContribution = createServerFn()
  .validator(createInputValidator(contributionSchema))
  .handler(async ({ data: { number, ...address }, context }) => {
    const page = await getContribution(context.ctx, address, readNumber(number), readBrowserToken())
    if (page.gone && !context.form) setResponseStatus(410)
    return page
  })

/** What the writing page needs. After a form that was not sent yet, also what is similar. */
export const readWriting = createServerFn()
  .validator(createInputValidator(addressSchema))
  .handler(async ({ data: address, context: { ctx, form } }) => {
    forbidCaching()
    const page = await ctx.db.read(async (tx) => {
      const placed = await requireActivityAt(ctx, tx, address)
      return {
        activity: await toActivityView(ctx, tx, placed),
        refusal: await findActivityRefusal(ctx, tx, 'contributions.post', placed),
      }
    })
    const title = form?.values['title']
    const isFirst = form?.faults.some(({ code }) => code === 'similar-first')
    return {
      ...page,
      name: ctx.viewer.kind === 'user' ? ctx.viewer.login : '',
      sending: form ? readSending(form.values, ctx.now()) : createSending(ctx.now()),
      similar: isFirst && typeof title === 'string' ? await findSimilar(ctx, address, title) : [],
    }
  })

/** What the page for a reply needs. */
export const readReplying = createServerFn()
  .validator(createInputValidator(contributionSchema))
  .handler(async ({ data: { number, ...address }, context: { ctx, form } }) => {
    forbidCaching()
    const page = await getContribution(ctx, address, readNumber(number), readBrowserToken())
    if (page.gone && !form) setResponseStatus(410)
    return {
      ...page,
      name: ctx.viewer.kind === 'user' ? ctx.viewer.login : '',
      sending: form ? readSending(form.values, ctx.now()) : createSending(ctx.now()),
    }
  })

/** The author's contribution, by the receipt that the browser holds or by its number; null if there is none. */
export const readOwnContribution = createServerFn()
  .validator(createInputValidator(v.object({ ...addressSchema.entries, number: v.optional(numberPartSchema) })))
  .handler(async ({ data: { number, ...address }, context: { ctx } }) => {
    forbidCaching()
    const activity = await ctx.db.read(async (tx) => toActivityView(ctx, tx, await requireActivityAt(ctx, tx, address)))
    try {
      const own = await getOwnContribution(ctx, address, readOwnKey(number))
      return { activity, own, addition: createSending(ctx.now()).id }
    } catch (error) {
      if (isAppError(error, 'not-found')) return { activity, own: null, addition: '' }
      throw error
    }
  })

/** These pages are made for one person: they carry a sending's id or a receipt. */
const forbidCaching = () => setResponseHeader('cache-control', 'private, no-store')
