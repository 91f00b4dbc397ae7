import { buildSiteUrl } from '#app/server/site-url.ts'
import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader, setResponseStatus } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { buildInvitationCookie } from '#app/features/invitations/invitation-cookies.server.ts'
import { acceptInvitationTo } from '#app/features/invitations/accept-invitation.server.ts'
import { createSending, openSending, readSending } from '#app/features/participation/sending.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator, createQuerySchema } from '#app/lib/validate.ts'
import { readBrowserToken } from '#app/server/auth/browser-token.ts'
import { readReaderName } from '#app/server/shared-rendering.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { FormState } from '#app/server/request-context.ts'
import { type ActivityAddress, findActivityRefusal, requireActivityAt } from './record/activities.policy.server.ts'
import { readPlaceWriting } from './posting/place-steps.server.ts'
import { readInvitation } from '#app/features/invitations/invitation-cookies.server.ts'
import { readReceiptCode } from '#app/features/participation/receipt-cookies.server.ts'
import { canEnterContributions } from './record/entered-contribution.server.ts'
import { readOwnKey, readWrittenTexts } from './contributions.forms.server.ts'
import { readNumber } from './record/contribution-forms.server.ts'
import { type ActivityPageHead, type ActivityView, isNextStep, readContributionSearch } from './record/contributions.schema.ts'
import { buildFieldName } from './record/fields.schema.ts'
import { parseShown } from './record/translations.schema.ts'
import { describePersonalData } from './moderation/personal-data/personal-data.server.ts'
import { loadKeptPhotos } from './posting/keep-photo.server.ts'
import { findSimilar } from './reading/similar.server.ts'
import { loadActivityView } from './reading/activity-view.server.ts'
import { getContribution, getProjectActivities, listContributions } from './reading/views.server.ts'
import { findActivityByCode } from '#app/features/participation/find-by-code.server.ts'
import { getOwnContribution } from './own/own-contributions.server.ts'

const addressSchema = v.object({ project: slugPartSchema, activity: slugPartSchema })
const invitationSchema = v.optional(v.pipe(v.string(), v.maxLength(200)))
const numberPartSchema = v.pipe(v.string(), v.maxLength(40, 'not-found'))
const contributionSchema = v.object({ ...addressSchema.entries, number: numberPartSchema })

/** Stages and activities of a project. */
export const readProjectActivities = createServerFn()
  .validator(createInputValidator(v.object({ slug: v.string(), preview: v.optional(v.string()) })))
  .handler(({ data, context }) => getProjectActivities(context.ctx, data))

export const readContributions = createServerFn()
  .validator(
    createInputValidator(
      v.object({ ...addressSchema.entries, search: createQuerySchema(readContributionSearch), invitation: invitationSchema }),
    ),
  )
  .handler(async ({ data: { search, invitation, ...address }, context: { ctx, form } }) => {
    const accepted = invitation ? await acceptLinkedInvitation(ctx, address, invitation) : undefined
    const list = await listContributions(ctx, address, search, (id) => accepted?.secret ?? readInvitation(id))
    if (invitation || form) forbidCaching()
    if (accepted) setResponseHeader('set-cookie', buildInvitationCookie(ctx, accepted.subjectId, accepted.secret))
    const head = describeHead(list.activity, { title: describeRefusal(ctx, form, list.activity.title.text), path: '', isPublic: true })
    return {
      list,
      head: list.activity.listed ? { ...head, feed: `${head.path}/feed.atom` } : head,
      now: ctx.now().toISOString(),
    }
  })

/** @returns undefined for a link that does not work: the page asks for the code */
async function acceptLinkedInvitation(ctx: Ctx, address: ActivityAddress, invitation: string) {
  try {
    return await acceptInvitationTo(ctx, async (tx) => (await requireActivityAt(ctx, tx, address)).activity.id, invitation)
  } catch (error) {
    if (isAppError(error)) return undefined
    throw error
  }
}

/** One contribution; one that is gone is answered with 410 and the reason. */
export const readContribution = createServerFn()
  .validator(
    createInputValidator(v.object({ ...contributionSchema.entries, translated: v.optional(v.pipe(v.string(), v.maxLength(2000))) })),
  )
  .handler(async ({ data: { number, translated, ...address }, context }) => {
    const shown = parseShown(translated)
    const page = await getContribution(context.ctx, address, readNumber(number), readBrowserToken(context.ctx), readInvitation, shown)
    if (page.gone && !context.form) setResponseStatus(410)
    const { activity, contribution, gone } = page
    const title = contribution?.title ?? getTexts(context.ctx)(`gone.${gone?.state ?? 'removed'}`)
    return {
      ...page,
      head: describeHead(activity, { title, path: `/${number}`, isPublic: contribution !== null && !contribution.mergedInto }),
    }
  })

/** What the writing page needs. After a form that was not sent yet, also what is similar. */
export const readWriting = createServerFn()
  .validator(createInputValidator(addressSchema))
  .handler(async ({ data: address, context: { ctx, form } }) => {
    forbidCaching()
    const sending = form ? readSending(form.values, ctx.now()) : openSending(ctx)
    const page = await ctx.db.read(async (tx) => {
      const placed = await requireActivityAt(ctx, tx, address)
      return {
        activity: await loadActivityView(ctx, tx, placed),
        photos: form ? await loadKeptPhotos(ctx, tx, sending, form.values) : [],
        refusal: await findActivityRefusal(ctx, tx, 'contributions.post', placed, readInvitation),
        place: await readPlaceWriting(ctx, tx, placed, form),
        canEnter: canEnterContributions(ctx, placed),
      }
    })
    const typed = form?.values['title']
    const isFirst = page.place?.isCheck || hasFault(form, 'similar-first')
    const warns = isFirst || hasFault(form, 'personal-data-first')
    const title = describeRefusal(ctx, form, getTexts(ctx)(`kinds.${page.activity.kind}.add`))
    const sent = await findActivityByCode(ctx, readReceiptCode() ?? '')
    return {
      ...page,
      head: describeHead(page.activity, { title, path: '/new' }),
      name: readReaderName(ctx),
      sending,
      isSent: sent?.project === address.project && sent.activity === address.activity,
      similar: isFirst && typeof typed === 'string' ? await findSimilar(ctx, address, typed) : [],
      personal: warns ? await findWarning(ctx, form, page.activity) : null,
    }
  })

/** What the page for a reply needs. */
export const readReplying = createServerFn()
  .validator(createInputValidator(contributionSchema))
  .handler(async ({ data: { number, ...address }, context: { ctx, form } }) => {
    forbidCaching()
    const page = await getContribution(ctx, address, readNumber(number), readBrowserToken(ctx), readInvitation)
    if (page.gone && !form) setResponseStatus(410)
    const title = describeRefusal(ctx, form, getTexts(ctx)('reply.title', { title: page.contribution?.title ?? '' }))
    return {
      ...page,
      head: describeHead(page.activity, { title, path: `/${number}/reply` }),
      personal: hasFault(form, 'personal-data-first') ? await findWarning(ctx, form) : null,
      name: readReaderName(ctx),
      sending: form ? readSending(form.values, ctx.now()) : openSending(ctx),
    }
  })

/** The author's contribution, by the receipt that the browser holds or by its number; null if there is none. */
export const readOwnContribution = createServerFn()
  .validator(createInputValidator(v.object({ ...addressSchema.entries, number: v.optional(numberPartSchema) })))
  .handler(async ({ data: { number, ...address }, context: { ctx, form } }) => {
    forbidCaching()
    const activity = await ctx.db.read(async (tx) => loadActivityView(ctx, tx, await requireActivityAt(ctx, tx, address)))
    const own = await findOwnContribution(ctx, address, number, form)
    const texts = getTexts(ctx)
    const title = describeRefusal(ctx, form, own ? texts(`kinds.${activity.kind}.sent`) : texts('receipt.find'))
    return {
      activity,
      own,
      address: buildSiteUrl(ctx, '/receipt'),
      addition: own ? createSending(ctx.now()).id : '',
      personal: hasFault(form, 'personal-data-first') ? await findWarning(ctx, form, activity) : null,
      head: describeHead(activity, { title, path: '/receipt' }),
    }
  })

async function findOwnContribution(ctx: Ctx, address: ActivityAddress, number: string | undefined, form: FormState | undefined) {
  try {
    return await getOwnContribution(ctx, address, readOwnKey(number), form)
  } catch (error) {
    if (isAppError(error, 'not-found')) return null
    throw error
  }
}

const hasFault = (form: FormState | undefined, code: string): boolean => form?.faults.some((fault) => fault.code === code) ?? false

/** Personal data in a form that was not sent yet; null if there is none. */
const findWarning = (ctx: Ctx, form: FormState | undefined, activity?: ActivityView) =>
  form
    ? ctx.db.read((tx) => describePersonalData(ctx, tx, readWrittenTexts(form.values, activity ? listTypedTexts(activity, form) : [])))
    : null

/** What is written for everybody in the extra questions of a form. */
const listTypedTexts = ({ fields }: ActivityView, { values }: FormState): string[] =>
  fields.flatMap(({ id, type, shownTo }) => {
    const typed = values[buildFieldName(id)]
    return (type === 'short_text' || type === 'long_text') && shownTo === 'public' && typeof typed === 'string' ? [typed] : []
  })

const getTexts = (ctx: Ctx) => getTranslator(ctx.language, 'contributions')

/** The title of a page whose form was refused says so. */
function describeRefusal(ctx: Ctx, form: FormState | undefined, title: string): string {
  const isRefused = form?.faults.some((fault) => !isNextStep(fault))
  return isRefused ? getTexts(ctx)('error-title', { title }) : title
}

/** For the head of an activity's page, made here so that no other page loads how. @param path below the activity's */
const describeHead = (
  { title: { text }, project, slug, listed }: ActivityView,
  { title, path, isPublic = false }: { title: string; path: string; isPublic?: boolean },
): ActivityPageHead => ({
  title,
  description: text,
  path: `/projects/${project.slug}/${slug}${path}`,
  card: `project/${project.slug}`,
  hidden: !isPublic || !listed,
})

/** These pages are made for one person: they carry a sending's id or a receipt. */
const forbidCaching = () => setResponseHeader('cache-control', 'private, no-store')
