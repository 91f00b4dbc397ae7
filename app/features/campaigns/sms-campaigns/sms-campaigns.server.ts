import { and, count, eq, inArray, isNull } from 'drizzle-orm'
import { canSendSms } from '#app/features/marketplace/installations.server.ts'
import type { Currency } from '#app/features/marketplace/marketplace.schema.ts'
import { readFeatures } from '#app/features/feature-switches/feature-switches.server.ts'
import { assertAsked } from '#app/features/sms/answering/first-question.server.ts'
import { assertSmsOn, queueMessage } from '#app/features/sms/messages.server.ts'
import { lockSpending, spendingOf, textsPromised } from '#app/features/sms/spending.server.ts'
import type { SmsStatus } from '#app/features/sms/sms.schema.ts'
import { isOpenToTexts } from '#app/features/surveys/sms/keywords.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { campaigns, projects, smsMessages, surveys, userPhones, users } from '#app/server/db/schema.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { missingTranslations } from '#app/server/saving.ts'
import { countUnplaced, readersPage } from '../audience.server.ts'
import {
  assertFields,
  assertMaySend,
  type CampaignPlace,
  type CampaignRow,
  campaignsById,
  createCampaign,
  listCampaigns,
  own,
  scheduleCampaign,
  updateCampaign,
  type Waiting,
} from '../campaigns.server.ts'
import { countTexts, textFor } from './compose-sms.server.ts'
import type { smsCampaignShape } from './sms-campaigns.api.schema.ts'

/** Campaigns by text that the viewer may send or draft; none with the feature off. */
export async function textsById(ctx: Ctx, ids: readonly string[]): Promise<CampaignRow[]> {
  return (await readFeatures(ctx)).marketplace_sms_integration.enabled ? campaignsById(ctx, 'sms', ids) : []
}

/** @throws {AppError} `unauthenticated`, `forbidden`, `not-found` with the feature off */
export async function listTexts(ctx: Ctx, page: { offset: number; limit: number }): Promise<{ rows: CampaignRow[]; total: number }> {
  const listed = await listCampaigns(ctx, 'sms', page)
  await assertSmsOn(ctx)
  return listed
}

/** @returns its id @throws {AppError} `not-found` with the feature off, `forbidden`, `invalid` */
export async function createText(ctx: Ctx, input: CreateInput<typeof smsCampaignShape>): Promise<string> {
  await assertSmsOn(ctx)
  const { survey = null, bodyTranslations: body = {} } = input
  return createCampaign(ctx, 'sms', input, { body, surveyId: survey }, async (tx, place) => {
    assertFields('bodyTranslations', body)
    if (survey) await assertSurvey(ctx, tx, survey, place)
  })
}

/** Changes a draft. @throws {AppError} `forbidden`, `stale`, `conflict` once it is no draft */
export function updateText(ctx: Ctx, row: CampaignRow, input: UpdateInput<typeof smsCampaignShape>, lockVersion: number): Promise<void> {
  const { name, audience, bodyTranslations: body, survey } = input
  const changes = {
    ...(survey === undefined ? {} : { surveyId: survey }),
    ...(name === undefined ? {} : { name }),
    ...(body === undefined ? {} : { body }),
    ...(audience === undefined ? {} : { audience }),
  }
  return updateCampaign(ctx, row, changes, lockVersion, async (tx, place) => {
    if (body) assertFields('bodyTranslations', body)
    if (survey) await assertSurvey(ctx, tx, survey, place)
  })
}

/** A campaign asks surveys of its own place that are open to texts. @throws {AppError} `invalid` */
async function assertSurvey(ctx: Ctx, tx: Tx, surveyId: string, { hubId, projectId }: CampaignPlace): Promise<void> {
  const [found] = await tx
    .select({ hubId: projects.hubId, projectId: projects.id })
    .from(surveys)
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
    .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId)))
  const here = found && (projectId ? found.projectId === projectId : hubId === null || found.hubId === hubId)
  if (!here || !(await isOpenToTexts(ctx, tx, surveyId)))
    throw new AppError('invalid', { faults: [{ code: 'not-by-text', pointer: '/survey' }] })
}

/** How many of each campaign's texts stand where. */
export async function countsOf(ctx: Ctx, tx: Tx, ids: readonly string[]): Promise<Map<string, Partial<Record<SmsStatus, number>>>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select({ campaign: smsMessages.campaignId, status: smsMessages.status, total: count() })
    .from(smsMessages)
    .where(and(eq(smsMessages.siteId, ctx.site.id), inArray(smsMessages.campaignId, [...ids])))
    .groupBy(smsMessages.campaignId, smsMessages.status)
  const counts = new Map<string, Partial<Record<SmsStatus, number>>>()
  for (const { campaign, status, total } of rows) {
    if (campaign) counts.set(campaign, { ...counts.get(campaign), [status as SmsStatus]: total })
  }
  return counts
}

/** What sending a campaign to everybody it would reach now comes to, language by language. */
export interface Estimate {
  id: string
  recipients: number
  segments: number
  languages: { language: Language; recipients: number; segments: number }[]
  withoutArea: number | null
  /** What it is likely to cost; null where no price is set. */
  cost: { amount: number; currency: Currency } | null
  /** The site's limit for this month, and what of it is written or promised to other campaigns; null without a limit. */
  credit: { limit: number; used: number } | null
}

/** @throws {AppError} `not-found` */
async function seen(ctx: Ctx, id: string): Promise<CampaignRow> {
  const [row] = await textsById(ctx, [id])
  if (!row) throw new AppError('not-found')
  return row
}

/** Counts every text as its reader would get it. */
export async function estimates(ctx: Ctx, ids: readonly string[]): Promise<Estimate[]> {
  const rows = await textsById(ctx, ids)
  return Promise.all(rows.map((row) => estimate(ctx, row)))
}

async function estimate(ctx: Ctx, row: CampaignRow): Promise<Estimate> {
  const languages = [...(await countTexts(ctx, row))].map(([language, counted]) => ({ language, ...counted }))
  const segments = languages.reduce((sum, one) => sum + one.segments, 0)
  const { price, textsAMonth } = await spendingOf(ctx)
  return {
    id: row.id,
    recipients: languages.reduce((sum, { recipients }) => sum + recipients, 0),
    segments,
    languages,
    withoutArea: await countUnplaced(ctx, row),
    cost: price && { amount: price.amount * segments, currency: price.currency },
    credit: textsAMonth === null ? null : { limit: textsAMonth, used: await ctx.db.tx((tx) => textsPromised(ctx, tx, ctx.now(), row.id)) },
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
  const total = [...(await countTexts(ctx, row)).values()].reduce((sum, { recipients }) => sum + recipients, 0)
  const readers = await readersPage(ctx, row, query)
  const rows = readers.map((reader) => ({
    id: reader.id,
    login: reader.login,
    phone: `…${reader.address.slice(-4)}`,
    ...text(reader),
  }))
  return { rows, total }
}

/**
 * Sends a campaign now, or at its time.
 * @throws {AppError} `forbidden` also for who may only draft, `conflict` where it was sent, `sms-not-enabled`, `sms-limit-passed` where its month has
 *   not enough texts left, or `invalid` naming each language of the site that the text lacks
 */
export async function sendText(ctx: Ctx, input: { campaign: string; sendAt?: Date | null | undefined }): Promise<string> {
  const row = await seen(ctx, input.campaign)
  assertMaySend(ctx, row)
  if (!(await canSendSms(ctx))) throw new AppError('sms-not-enabled')
  const missing = missingTranslations({ bodyTranslations: row.body }, ctx.site.languages)
  if (missing.length) throw new AppError('invalid', { faults: missing })
  const { textsAMonth } = await spendingOf(ctx)
  const texts = textsAMonth === null ? 0 : (await estimate(ctx, row)).segments
  const at = input.sendAt ?? ctx.now()
  await scheduleCampaign(ctx, row, input.sendAt, async (tx) => {
    if (row.surveyId) await assertAsked(ctx, tx, row.surveyId, at)
    if (textsAMonth !== null) await promise(ctx, tx, row, { texts, limit: textsAMonth, at })
  })
  return row.id
}

/** Sets texts of a month's limit aside for a campaign. @throws {AppError} `sms-limit-passed` */
async function promise(ctx: Ctx, tx: Tx, { id }: CampaignRow, { texts, limit, at }: { texts: number; limit: number; at: Date }) {
  await lockSpending(ctx, tx)
  const left = Math.max(0, limit - (await textsPromised(ctx, tx, at, id)))
  if (texts > left) throw new AppError('sms-limit-passed', { values: { texts, limit, left } })
  await tx.update(campaigns).set({ promised: texts }).where(own(ctx, id))
}

/** Campaigns that were given up for sending, whatever became of it. */
export const sendingsById = async (ctx: Ctx, ids: readonly string[]): Promise<CampaignRow[]> =>
  (await textsById(ctx, ids)).filter(({ status }) => status !== 'draft')

const waitingOf = (ctx: Ctx, campaignId: string) =>
  and(eq(smsMessages.siteId, ctx.site.id), eq(smsMessages.campaignId, campaignId), eq(smsMessages.status, 'waiting'))

export const WAITING_TEXTS: Waiting = {
  hold: (ctx, tx, id) => tx.update(smsMessages).set({ nextAttemptAt: null }).where(waitingOf(ctx, id)),
  release: (ctx, tx, id) =>
    tx
      .update(smsMessages)
      .set({ nextAttemptAt: ctx.now() })
      .where(and(waitingOf(ctx, id), isNull(smsMessages.nextAttemptAt))),
  drop: (ctx, tx, id) =>
    tx
      .update(smsMessages)
      .set({ status: 'skipped', fault: 'campaign-cancelled', settledAt: ctx.now(), nextAttemptAt: null })
      .where(waitingOf(ctx, id)),
}

/** Sends the viewer's own number a campaign's text, in one language. @returns the text's id @throws {AppError} `no-phone`, `too-many-requests` */
export async function testText(ctx: Ctx, input: { campaign: string; language: Language }): Promise<string> {
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
