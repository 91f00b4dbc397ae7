import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { canSendSms } from '#app/features/marketplace/installations.server.ts'
import { authorize } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import { smsCampaigns, smsMessages, userPhones, users } from '#app/server/db/schema.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { missingTranslations } from '#app/server/saving.ts'
import { queueMessage } from '../messages.server.ts'
import { segmentsOf } from '../segments.ts'
import { assertAsked } from '../answering/first-question.server.ts'
import { everyReader, type Reader } from './audience.server.ts'
import { type CampaignRow, campaignsById, maySend, note, own, placeOf } from './campaigns.server.ts'
import { textFor } from './prepare.server.ts'

const BATCH = 5000

/** What sending a campaign to everybody it would reach now comes to, language by language. */
export interface Estimate {
  id: string
  recipients: number
  segments: number
  languages: { language: Language; recipients: number; segments: number }[]
}

/** @throws {AppError} `not-found` */
async function seen(ctx: Ctx, id: string): Promise<CampaignRow> {
  const [row] = await campaignsById(ctx, [id])
  if (!row) throw new AppError('not-found')
  return row
}

/** Counts every text as its reader would get it. */
export async function estimates(ctx: Ctx, ids: readonly string[]): Promise<Estimate[]> {
  const rows = await campaignsById(ctx, ids)
  return Promise.all(rows.map((row) => estimate(ctx, row)))
}

async function estimate(ctx: Ctx, row: CampaignRow): Promise<Estimate> {
  const text = await textFor(ctx, row)
  const byLanguage = new Map<Language, { recipients: number; segments: number }>()
  for await (const readers of everyReader(ctx, row, BATCH)) {
    for (const reader of readers) {
      const { body, language } = text(reader)
      const so = byLanguage.get(language) ?? { recipients: 0, segments: 0 }
      byLanguage.set(language, { recipients: so.recipients + 1, segments: so.segments + segmentsOf(body).segments })
    }
  }
  const languages = [...byLanguage].map(([language, counted]) => ({ language, ...counted }))
  return {
    id: row.id,
    recipients: languages.reduce((sum, { recipients }) => sum + recipients, 0),
    segments: languages.reduce((sum, { segments }) => sum + segments, 0),
    languages,
  }
}

/** Somebody a campaign would reach now, with the number's last digits alone. */
export interface Recipient {
  id: string
  login: string
  phone: string
  language: Language
  body: string
}

/** Those a draft would reach now, in pages. @throws {AppError} `not-found` */
export async function listRecipients(
  ctx: Ctx,
  query: { campaign: string; offset: number; limit: number },
): Promise<{ rows: Recipient[]; total: number }> {
  const row = await seen(ctx, query.campaign)
  const text = await textFor(ctx, row)
  const { recipients } = await estimate(ctx, row)
  const wanted = query.offset + query.limit
  const readers: Reader[] = []
  for await (const some of everyReader(ctx, row, BATCH)) {
    readers.push(...some)
    if (readers.length >= wanted) break
  }
  const rows = readers.slice(query.offset, wanted).map((reader) => ({
    id: reader.id,
    login: reader.login,
    phone: `…${reader.phone.slice(-4)}`,
    ...text(reader),
  }))
  return { rows, total: recipients }
}

/**
 * Sends a campaign now, or at its time.
 * @throws {AppError} `forbidden` also for who may only draft, `conflict` where it was sent, `sms-not-enabled`, or `invalid` naming each language
 *   of the site that the text lacks
 */
export async function sendCampaign(ctx: Ctx, input: { campaign: string; sendAt?: Date | null | undefined }): Promise<string> {
  const row = await seen(ctx, input.campaign)
  const { only } = authorize(ctx.viewer, 'campaigns.send', placeOf(row))
  if (only) throw new AppError('forbidden')
  if (!(await canSendSms(ctx))) throw new AppError('sms-not-enabled')
  const missing = missingTranslations({ bodyTranslations: row.body }, ctx.site.languages)
  if (missing.length) throw new AppError('invalid', { faults: missing })
  await ctx.db.tx(async (tx) => {
    if (row.surveyId) await assertAsked(ctx, tx, row.surveyId, input.sendAt ?? ctx.now())
    const changed = await tx
      .update(smsCampaigns)
      .set({
        status: 'scheduled',
        sendAt: input.sendAt ?? ctx.now(),
        updatedAt: ctx.now(),
        lockVersion: sql`${smsCampaigns.lockVersion} + 1`,
      })
      .where(and(own(ctx, row.id), eq(smsCampaigns.status, 'draft')))
      .returning({ id: smsCampaigns.id })
    if (!changed.length) throw new AppError('conflict')
    await note(ctx, tx, row, 'sms-campaigns.send', { name: row.name, sendAt: input.sendAt ?? null })
  })
  return row.id
}

/** Campaigns that were given up for sending, whatever became of it. */
export const sendingsById = async (ctx: Ctx, ids: readonly string[]): Promise<CampaignRow[]> =>
  (await campaignsById(ctx, ids)).filter(({ status }) => status !== 'draft')

/** Stops a campaign for a while, or goes on. What a service already has cannot be called back. @throws {AppError} `forbidden`, `conflict` */
export async function pauseCampaign(ctx: Ctx, row: CampaignRow, paused: boolean): Promise<void> {
  if (!maySend(ctx.viewer, row)) throw new AppError('forbidden')
  if (paused === (row.status === 'paused')) return
  const waiting = and(eq(smsMessages.siteId, ctx.site.id), eq(smsMessages.campaignId, row.id), eq(smsMessages.status, 'waiting'))
  await ctx.db.tx(async (tx) => {
    const from = paused ? (['preparing', 'sending'] as const) : (['paused'] as const)
    const changed = await tx
      .update(smsCampaigns)
      // Going on, those who have no text yet are looked for again: nobody is written to twice.
      .set({ status: paused ? 'paused' : 'preparing', updatedAt: ctx.now() })
      .where(and(own(ctx, row.id), inArray(smsCampaigns.status, [...from])))
      .returning({ id: smsCampaigns.id })
    if (!changed.length) throw new AppError('conflict')
    if (paused) await tx.update(smsMessages).set({ nextAttemptAt: null }).where(waiting)
    else
      await tx
        .update(smsMessages)
        .set({ nextAttemptAt: ctx.now() })
        .where(and(waiting, isNull(smsMessages.nextAttemptAt)))
    await note(ctx, tx, row, paused ? 'sms-campaigns.pause' : 'sms-campaigns.resume')
  })
}

/** Gives up what was not sent yet. @throws {AppError} `forbidden`, `conflict` once it is over */
export async function cancelCampaign(ctx: Ctx, row: CampaignRow): Promise<void> {
  if (!maySend(ctx.viewer, row)) throw new AppError('forbidden')
  await ctx.db.tx(async (tx) => {
    const changed = await tx
      .update(smsCampaigns)
      .set({ status: 'cancelled', finishedAt: ctx.now(), updatedAt: ctx.now() })
      .where(and(own(ctx, row.id), inArray(smsCampaigns.status, ['scheduled', 'preparing', 'sending', 'paused'])))
      .returning({ id: smsCampaigns.id })
    if (!changed.length) throw new AppError('conflict')
    await tx
      .update(smsMessages)
      .set({ status: 'skipped', fault: 'campaign-cancelled', settledAt: ctx.now(), nextAttemptAt: null })
      .where(and(eq(smsMessages.siteId, ctx.site.id), eq(smsMessages.campaignId, row.id), eq(smsMessages.status, 'waiting')))
    await note(ctx, tx, row, 'sms-campaigns.cancel')
  })
}

/** Sends the viewer's own number a campaign's text, in one language. @returns the text's id @throws {AppError} `no-phone`, `too-many-requests` */
export async function testCampaign(ctx: Ctx, input: { campaign: string; language: Language }): Promise<string> {
  const row = await seen(ctx, input.campaign)
  if (!(await canSendSms(ctx))) throw new AppError('sms-not-enabled')
  const { viewer } = ctx
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  await countAttempt(ctx, [{ name: 'sms-test', of: viewer.id, most: 20, minutes: 60 }])
  const text = await textFor(ctx, row)
  return ctx.db.tx(async (tx) => {
    const [mine] = await tx
      .select({ phone: userPhones.phone, login: users.login })
      .from(userPhones)
      .innerJoin(users, and(eq(users.siteId, userPhones.siteId), eq(users.id, userPhones.userId)))
      .where(and(eq(userPhones.siteId, ctx.site.id), eq(userPhones.userId, viewer.id)))
    if (!mine) throw new AppError('no-phone')
    const { body, language } = text({ login: mine.login, locale: input.language })
    if (!body) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/bodyTranslations' }] })
    return queueMessage(ctx, tx, { purpose: 'test', phone: mine.phone, language, body, userId: viewer.id })
  })
}
