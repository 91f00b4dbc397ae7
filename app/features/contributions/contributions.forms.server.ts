import * as v from 'valibot'
import { buildInvitationCookie } from '#app/features/invitations/invitation-cookies.server.ts'
import { acceptInvitationTo } from '#app/features/invitations/accept-invitation.server.ts'
import { readSending, refuseHiddenField } from '#app/features/participation/sending.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { createId, idSchema } from '#app/lib/uuid.ts'
import { REACTION_VALUES } from '#app/lib/vocabulary/contributions.ts'
import { type BrowserToken, giveBrowserToken, readBrowserToken, requireBrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import { createFormHandler, type FormValues, type Submission, readText, redirectWithCookies } from '#app/server/forms.ts'
import { limitGuesses, limitGuessesByAddress } from '#app/server/limits/guesses.ts'
import { type ActivityAddress, requireActivityAt } from './record/activities.policy.server.ts'
import { readInvitation } from '#app/features/invitations/invitation-cookies.server.ts'
import { buildReceiptCookie, readReceiptCode } from '#app/features/participation/receipt-cookies.server.ts'
import { TEXT_FORM, readNumber } from './record/contribution-forms.server.ts'
import { requireSeenPersonalData, type WrittenTexts } from './moderation/personal-data/personal-data.server.ts'
import { listPublicTexts, readSentFields } from './fields/fields.server.ts'
import { readTypedGeometry, takeEditStep, takePlaceStep } from './posting/place-steps.server.ts'
import { describeTypedPlace } from './places/typed-place.server.ts'
import { findPhotoBounds, listAlts, takeFormPhotos } from './posting/keep-photo.server.ts'
import { setContributionFollowing } from './following/follow-contribution.server.ts'
import { removeUnsentPhotos } from './photos/stored-photos.server.ts'
import { readEnteredSource } from './record/entered-contribution.server.ts'
import { requireFaultless, submitContribution } from './posting/submit-contribution.server.ts'
import { sendReplyMessage, sendTeamMessage } from './posting/team-message.server.ts'
import { LATE_FORM } from './record/contributions.schema.ts'
import { addShown, buildTranslationAnchor, parseAskedValue } from './record/translations.schema.ts'
import { requireContributionAt } from './record/loading.server.ts'
import { findSimilar } from './reading/similar.server.ts'
import { getContribution } from './reading/views.server.ts'
import {
  addToContribution,
  editContribution,
  getOwnContribution,
  objectToOwnMerge,
  type OwnKey,
  withdrawOwnContribution,
} from './own/own-contributions.server.ts'
import { mailContributionReceipt } from './own/receipt-mail.server.ts'
import { addReaction, removeOwnReaction } from './responding/reactions.server.ts'
import { translateText } from './translating/translate-text.server.ts'
import { submitReply } from './responding/replies.server.ts'

const toAddress = (params: Record<string, string>): ActivityAddress => ({
  project: params['slug'] ?? '',
  activity: params['activity'] ?? '',
})
const buildPath = ({ params, path }: Pick<Submission, 'params' | 'path'>, rest = '') =>
  path(`/projects/${encodeURIComponent(params['slug'] ?? '')}/${encodeURIComponent(params['activity'] ?? '')}${rest}`)

const readAll = (sent: string | string[] | undefined): string[] => (Array.isArray(sent) ? sent : sent ? [sent] : [])

/** What a form would publish. An addition has a field of its own. @param answers to extra questions */
export function readWrittenTexts(values: FormValues, answers: readonly string[] = []): WrittenTexts {
  const shownAs = readText(values['shownAs'])
  const isNamed = !shownAs || shownAs === 'name' || shownAs === 'first_name'
  return {
    title: readText(values['title']),
    body: [readText(values['addition']) || readText(values['body']), ...answers, ...listAlts(values)].join('\n'),
    placeText: [values['from'], values['to'], values['placeText']].map(readText).join('\n').trim(),
    shownName: isNamed ? readText(values['shownName']) : '',
  }
}

/**
 * The form of `/new`. The first time, similar contributions and personal data are shown instead of sending; a second press sends. Photos are
 * kept as soon as they arrive, so that nobody has to choose them again.
 */
export const writeForm = createFormHandler(
  {
    by: 'anyone',
    bounds: TEXT_FORM,
    takes: ({ ctx, params }) => findPhotoBounds(ctx, toAddress(params), readInvitation),
    keepsFiles: takePhotos,
  },
  async (submission) => {
    const { ctx, values, params } = submission
    refuseHiddenField(values)
    const address = toAddress(params)
    if (values['form'] === LATE_FORM) return sendLateMessage(submission)
    if (values['join']) return joinQuestion(submission, readNumber(readText(values['join'])))
    const sending = readSending(values, ctx.now())
    const browserToken = readBrowserToken(ctx)
    const photos = await takePhotos(submission)
    const { activity } = await ctx.db.read((tx) => requireActivityAt(ctx, tx, address))
    const fields = readSentFields(activity, values)
    const title = readText(values['title'])
    const written = {
      title,
      body: readText(values['body']),
      categories: readAll(values['categories']),
      shownAs: readText(values['shownAs']),
      shownName: readText(values['shownName']),
      areaId: readText(values['areaId']) || null,
      placeText: describeTypedPlace(ctx, values),
      geometry: readTypedGeometry(values),
      fields,
      photos,
    }
    await takePlaceStep(ctx, address, values, written)
    if (photos) await requireFaultless(ctx, (tx) => requireActivityAt(ctx, tx, address), written)
    if (title && !values['similar'] && (await findSimilar(ctx, address, title)).length > 0) throw new AppError('similar-first')
    await requireSeenPersonalData(ctx, readWrittenTexts(values, listPublicTexts(activity, fields)), values['personal'])
    if (!browserToken && ctx.viewer.kind !== 'user') throw new AppError('press-again')
    const { code } = await submitContribution(ctx, (tx) => requireActivityAt(ctx, tx, address), {
      ...sending,
      ...written,
      browserToken,
      invitation: readInvitation,
      source: readEnteredSource(values['source']),
    })
    if (photos) await removeUnsentPhotos(ctx, sending)
    return redirectWithCookies(buildPath(submission, '/receipt'), [buildReceiptCookie(ctx, code)])
  },
)

async function takePhotos({ ctx, values, params, files }: Submission) {
  return takeFormPhotos(ctx, {
    address: toAddress(params),
    sending: readSending(values, ctx.now()),
    browserToken: readBrowserToken(ctx) ?? (await giveBrowserToken(ctx)),
    invitation: readInvitation,
    values,
    files,
  })
}

const readTeamMessage = ({ ctx, values }: Submission) => ({
  id: readSending(values, ctx.now()).id,
  body: readText(values['body']),
  email: readText(values['email']),
  invitation: readInvitation,
})

/** What was written when the activity closed goes to the team. The same page says so. */
async function sendLateMessage(submission: Submission): Promise<{ shownOnce: FormValues }> {
  const { ctx, params } = submission
  const message = readTeamMessage(submission)
  await sendTeamMessage(ctx, (tx) => requireActivityAt(ctx, tx, toAddress(params)), message)
  return { shownOnce: { sent: message.id } }
}

/** The same for a reply. */
async function sendLateReply(submission: Submission): Promise<{ shownOnce: FormValues }> {
  const { ctx, params } = submission
  const number = readNumber(params['number'])
  const message = readTeamMessage(submission)
  await sendReplyMessage(ctx, (tx) => requireContributionAt(ctx, tx, toAddress(params), number), message)
  return { shownOnce: { sent: message.id } }
}

/** Joins a question that somebody asked already, instead of sending one's own. */
async function joinQuestion({ ctx, params, path }: Submission, number: number): Promise<Response> {
  const browserToken = await requireBrowserToken(ctx)
  const { contribution } = await getContribution(ctx, toAddress(params), number, browserToken, readInvitation)
  if (!contribution) throw new AppError('gone')
  await addReaction(ctx, { id: createId(), contributionId: contribution.id, browserToken, invitation: readInvitation })
  return redirectWithCookies(`${buildPath({ params, path }, `/${number}`)}#support`)
}

/** The form on an activity's page for a code from an invitation: from here on this browser may take part with it. */
export const invitationForm = createFormHandler({ by: 'anyone' }, async (submission) => {
  const { ctx, values, params } = submission
  const { subjectId, secret } = await acceptInvitationTo(
    ctx,
    async (tx) => (await requireActivityAt(ctx, tx, toAddress(params))).activity.id,
    readText(values['invitation']),
  )
  return redirectWithCookies(buildPath(submission), [buildInvitationCookie(ctx, subjectId, secret)])
})

/** Adds or takes back support or an opinion on a contribution's page, follows it, or has one of its texts translated. */
export const reactForm = createFormHandler({ by: 'anyone' }, async (submission) => {
  const { ctx, values } = submission
  if (values['follow']) return followOnPage(submission)
  if (values['translate']) return translateOnPage(submission)
  const browserToken = await requireBrowserToken(ctx)
  const { id: contributionId, number } = await requireShownContribution(submission, browserToken)
  const value = REACTION_VALUES.find((one) => one === values['reaction'])
  if (values['reaction'] === 'none') await removeOwnReaction(ctx, { contributionId, browserToken, invitation: readInvitation })
  else await addReaction(ctx, { id: createId(), contributionId, value, browserToken, invitation: readInvitation })
  return redirectWithCookies(`${buildPath(submission, `/${number}`)}#support`)
})

/** Visitors are sent to sign in and then return. */
async function followOnPage(submission: Submission): Promise<Response> {
  const { ctx, values, params, path } = submission
  const { id: contributionId, number } = await requireShownContribution(submission, readBrowserToken(ctx))
  const page = buildPath({ params, path }, `/${number}`)
  if (ctx.viewer.kind !== 'user') return redirectWithCookies(`${path('/sign-in')}?${new URLSearchParams({ next: page })}`)
  await setContributionFollowing(ctx, contributionId, values['follow'] === 'yes')
  return redirectWithCookies(`${page}#follow`)
}

/** The page comes back with the translation in its place. */
async function translateOnPage(submission: Submission): Promise<Response> {
  const { ctx, values, params, request } = submission
  const asked = parseAskedValue(readText(values['translate']))
  if (!asked) throw new AppError('not-found')
  await translateText(ctx, { ...asked, language: ctx.contentLanguage })
  const known = new URL(request.url).searchParams.get('translated') ?? undefined
  const search = new URLSearchParams({ translated: addShown(known, asked.id) })
  const page = buildPath(submission, `/${readNumber(params['number'])}`)
  return redirectWithCookies(`${page}?${search}#${buildTranslationAnchor(asked.id)}`)
}

export const replyForm = createFormHandler({ by: 'anyone' }, async (submission) => {
  const { ctx, values } = submission
  refuseHiddenField(values)
  if (values['form'] === LATE_FORM) return sendLateReply(submission)
  const { id: contributionId, number } = await requireShownContribution(submission, readBrowserToken(ctx))
  await requireSeenPersonalData(ctx, readWrittenTexts(values), values['personal'])
  const { state } = await submitReply(ctx, {
    ...readSending(values, ctx.now()),
    contributionId,
    body: readText(values['body']),
    shownName: readText(values['shownName']),
    browserToken: await requireBrowserToken(ctx),
    invitation: readInvitation,
  })
  return redirectWithCookies(`${buildPath(submission, `/${number}`)}?sent=${state === 'published' ? 'reply' : 'held'}#replies`)
})

async function requireShownContribution({ ctx, params }: Pick<Submission, 'ctx' | 'params'>, token: BrowserToken | undefined) {
  const number = readNumber(params['number'])
  const { contribution } = await getContribution(ctx, toAddress(params), number, token, readInvitation)
  if (!contribution) throw new AppError('gone')
  return contribution
}

/** The forms of an author's page: find it by its code, change it, add to it, withdraw it. */
export const ownForm = createFormHandler({ by: 'anyone', bounds: TEXT_FORM }, async (submission) => {
  const { ctx, values, params, request } = submission
  const address = toAddress(params)
  const number = new URL(request.url).searchParams.get('number') ?? undefined
  const key = readOwnKey(number)
  const here = `${buildPath(submission, '/receipt')}${key.number === undefined ? '' : `?number=${key.number}`}`
  if (values['form'] === 'find') return findOwn(ctx, submission, here)
  switch (values['form']) {
    case 'edit': {
      await takeEditStep(ctx, address, values)
      const { activity } = await ctx.db.read((tx) => requireActivityAt(ctx, tx, address))
      const fields = readSentFields(activity, values)
      await requireSeenPersonalData(ctx, readWrittenTexts(values, listPublicTexts(activity, fields)), values['personal'])
      await editContribution(ctx, address, key, {
        title: readText(values['title']),
        body: readText(values['body']),
        categories: readAll(values['categories']),
        // A form that was opened before places could be changed has no map.
        place:
          'view' in values
            ? {
                areaId: readText(values['areaId']) || null,
                placeText: describeTypedPlace(ctx, values),
                geometry: readTypedGeometry(values),
              }
            : undefined,
        fields,
      })
      return redirectWithCookies(`${here}#edited`)
    }
    case 'add': {
      const id = v.safeParse(idSchema, values['id'])
      await requireSeenPersonalData(ctx, readWrittenTexts(values), values['personal'])
      await addToContribution(ctx, address, key, { id: id.success ? id.output : createId(), body: readText(values['addition']) })
      return redirectWithCookies(`${here}#added`)
    }
    case 'mail':
      await mailContributionReceipt(ctx, address, key.code, readText(values['email']))
      return redirectWithCookies(`${here}?sent=mail`)
    case 'object':
      await objectToOwnMerge(ctx, address, key, readText(values['objection']))
      return redirectWithCookies(here)
    case 'withdraw':
      await withdrawOwnContribution(ctx, address, key)
      return redirectWithCookies(here)
    default:
      throw new AppError('not-found')
  }
})

/** @param number of the account's own contribution; without it, the receipt that the browser holds */
export const readOwnKey = (number: string | undefined): OwnKey =>
  number && /^[1-9]\d{0,8}$/.test(number) ? { number: Number(number) } : { code: readReceiptCode() }

async function findOwn(ctx: Ctx, { values, params }: Submission, here: string): Promise<Response> {
  const typed = readText(values['code']).trim()
  if (!typed) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/code' }] })
  try {
    await limitGuesses(ctx, limitGuessesByAddress(ctx, 'receipt'), () => getOwnContribution(ctx, toAddress(params), { code: typed }))
  } catch (error) {
    throw isAppError(error, 'not-found') ? new AppError('invalid', { faults: [{ code: 'not-found', pointer: '/code' }] }) : error
  }
  return redirectWithCookies(here, [buildReceiptCookie(ctx, typed)])
}
