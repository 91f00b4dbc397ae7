import * as v from 'valibot'
import { emailSchema } from '#app/features/accounts/accounts.schema.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { limitByAddress, MAX_MINUTES, wasCounted } from '#app/server/limits/limits.ts'
import { receiveOnce } from '#app/server/limits/receive-once.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import type { ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import { type PlacedActivity, requireActivityAccess } from '../record/activities.policy.server.ts'
import { getActivityState, getPostingTimes } from '../record/activities.state.server.ts'
import { listPermittedPeople } from '../record/permitted-people.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { loadReader } from '../moderation/decision-mails.server.ts'
import type { PlacedContribution } from '../record/loading.server.ts'
import { isFormOlderThan, tidyText } from './submit-contribution.server.ts'

/** A story with its title and its place. */
const MAX_MESSAGE = 25_000
const KIND = 'team-message'
/** Pressing the button again sends nothing again. */
const ONCE = { name: `${KIND}/once`, most: 1, minutes: MAX_MINUTES }

interface TeamMessage {
  /** The id of the form that came too late: its timestamp says when it was opened. */
  id: string
  body: string
  /** For the team's answer; may be empty. */
  email: string
  invitation?: ReadInvitation
}

/**
 * Emails an unfinished contribution, whose activity closed meanwhile, to everyone who may answer contributions to its project. It is not
 * published. Sent once for each form.
 * @throws {AppError} `not-found`, `gone`; `activity-closed` if the form was opened after it closed, `conflict` if it is not closed; the
 * refusal of the activity's access rule, `invalid`, `too-many-requests`
 */
export async function sendTeamMessage(ctx: Ctx, find: (tx: Tx) => Promise<PlacedActivity>, input: TeamMessage): Promise<void> {
  const placed = await ctx.db.read(async (tx) => {
    const found = await find(tx)
    requireClosedMeanwhile(ctx, found, input.id)
    await requireActivityAccess(ctx, tx, 'contributions.post', found, input.invitation)
    return found
  })
  await sendMessage(ctx, placed, input)
}

/**
 * The same for a reply, if its activity closed or its contribution was taken off the site meanwhile.
 * @throws {AppError} as `sendTeamMessage`; `forbidden` if the activity takes no replies
 */
export async function sendReplyMessage(ctx: Ctx, find: (tx: Tx) => Promise<PlacedContribution>, input: TeamMessage): Promise<void> {
  const placed = await ctx.db.read(async (tx) => {
    const found = await find(tx)
    if (!readActivitySettings(found.activity).tools.replies) throw new AppError('forbidden')
    if (READABLE_STATES.includes(found.contribution.state)) requireClosedMeanwhile(ctx, found, input.id)
    await requireActivityAccess(ctx, tx, 'contributions.post', found, input.invitation)
    return found
  })
  await sendMessage(ctx, placed, input)
}

async function sendMessage(ctx: Ctx, placed: PlacedActivity & Partial<PlacedContribution>, input: TeamMessage): Promise<void> {
  const message = requireMessage(input)
  await receiveOnce(ctx, `${KIND} ${input.id}`, async (tx, charge) => {
    const once = { ...ONCE, of: input.id }
    if (await wasCounted(ctx, tx, once)) return
    await charge(limitByAddress(ctx, { name: KIND, most: 20, minutes: 60 }))
    await charge([once])
    for (const { id } of await listPermittedPeople(ctx, tx, 'contributions.answer', placed.project))
      await mailMessage(ctx, tx, placed, { ...message, to: id })
  })
}

function requireClosedMeanwhile(ctx: Ctx, placed: PlacedActivity, formId: string): void {
  if (getActivityState(ctx.now(), placed) !== 'closed') throw new AppError('conflict')
  const { closesAt } = getPostingTimes(placed)
  if (closesAt && closesAt <= ctx.now() && !isFormOlderThan(formId, closesAt)) throw new AppError('activity-closed')
}

function requireMessage({ body, email }: TeamMessage): { body: string; email: string } {
  const text = tidyText(body)
  const address = email.trim() ? v.safeParse(emailSchema, email) : undefined
  const faults: Fault[] = [
    ...(text ? [] : [{ code: 'required' as const, pointer: '/body' }]),
    ...(text.length > MAX_MESSAGE ? [{ code: 'too-long' as const, pointer: '/body', values: { max: MAX_MESSAGE } }] : []),
    ...(address?.success === false ? [{ code: 'not-an-email' as const, pointer: '/email' }] : []),
  ]
  if (faults.length > 0) throw new AppError('invalid', { faults })
  return { body: text, email: address?.success ? address.output : '' }
}

async function mailMessage(
  ctx: Ctx,
  tx: Tx,
  { activity, project, contribution }: PlacedActivity & Partial<PlacedContribution>,
  { to, body, email }: { to: string; body: string; email: string },
): Promise<void> {
  const reader = await loadReader(ctx, tx, to)
  if (!reader) return
  const t = getTranslator(reader.language, 'mail')
  const names = {
    site: ctx.site.name,
    activity: getTranslation(activity.title, reader.language, ctx.site.locale),
    number: contribution?.number ?? 0,
  }
  const page = buildSiteUrl(ctx, `/${reader.language}/projects/${project.slug}/${activity.slug}/${contribution?.number ?? 'new'}`)
  await queueMail(ctx, tx, {
    kind: KIND,
    to: reader.email,
    userId: to,
    language: reader.language,
    content: {
      subject: t(contribution ? 'team-message.reply-subject' : 'team-message.subject', names),
      paragraphs: [
        t(contribution ? 'team-message.reply-text' : 'team-message.text', names),
        ...body.split(/\n{2,}/),
        email ? t('team-message.reply', { email }) : t('team-message.no-reply'),
      ],
      action: { label: contribution ? t('team-message.reply-action', names) : t('team-message.action'), href: page },
      footer: t('team-message.footer', names),
    },
  })
}
