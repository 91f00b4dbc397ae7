import { and, count, eq, inArray, isNull } from 'drizzle-orm'
import { canSendSms } from '#app/features/marketplace/installations.server.ts'
import type { Currency } from '#app/features/marketplace/marketplace.schema.ts'
import { readFeatures } from '#app/features/feature-switches/feature-switches.server.ts'
import { requireAnswerableByText } from '#app/features/sms/answering/first-question.server.ts'
import { requireSmsEnabled, queueMessage } from '#app/features/sms/messages.server.ts'
import { lockSpending, loadSpending, countTextsPromised } from '#app/features/sms/sms-spending.server.ts'
import { isOpenToTexts } from '#app/features/surveys/sms/keywords.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { SmsStatus } from '#app/lib/vocabulary/sms.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { campaigns, smsMessages, userPhones } from '#app/server/db/schema/messages.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { findMissingTranslations } from '#app/server/save-checks.ts'
import { countWithoutArea, loadReaderPage } from '../audience.server.ts'
import {
  requireKnownFields,
  requireSendPermission,
  type CampaignPlace,
  type CampaignRow,
  loadCampaignsById,
  createCampaign,
  listCampaigns,
  buildCampaignCondition,
  scheduleCampaign,
  updateCampaign,
  type CampaignQueue,
} from '../campaigns.server.ts'
import { countByLanguage, createTextComposer } from './compose-sms.server.ts'
import type { smsCampaignShape } from './sms-campaigns.api.schema.ts'

/** Loads SMS campaigns that the viewer may send or draft; none if the feature is off. */
export async function loadSmsCampaignsById(ctx: Ctx, ids: readonly string[]): Promise<CampaignRow[]> {
  return (await readFeatures(ctx)).marketplace_sms_integration.enabled ? loadCampaignsById(ctx, 'sms', ids) : []
}

/** @throws {AppError} `unauthenticated`, `forbidden`, `not-found` if the feature is off */
export async function listSmsCampaigns(ctx: Ctx, page: { offset: number; limit: number }): Promise<{ rows: CampaignRow[]; total: number }> {
  const listed = await listCampaigns(ctx, 'sms', page)
  await requireSmsEnabled(ctx)
  return listed
}

/** @returns its id @throws {AppError} `not-found` if the feature is off, `forbidden`, `invalid` */
export async function createSmsCampaign(ctx: Ctx, input: CreateInput<typeof smsCampaignShape>): Promise<string> {
  await requireSmsEnabled(ctx)
  const { survey = null, bodyTranslations: body = {} } = input
  return createCampaign(ctx, 'sms', input, { body, surveyId: survey }, async (tx, place) => {
    requireKnownFields('bodyTranslations', body)
    if (survey) await requireSmsSurvey(ctx, tx, survey, place)
  })
}

/** Updates a draft. @throws {AppError} `forbidden`, `stale`, `conflict` if it is no longer a draft */
export function updateSmsCampaign(
  ctx: Ctx,
  row: CampaignRow,
  input: UpdateInput<typeof smsCampaignShape>,
  lockVersion: number,
): Promise<void> {
  const { name, audience, bodyTranslations: body, survey } = input
  const changes = {
    ...(survey === undefined ? {} : { surveyId: survey }),
    ...(name === undefined ? {} : { name }),
    ...(body === undefined ? {} : { body }),
    ...(audience === undefined ? {} : { audience }),
  }
  return updateCampaign(ctx, row, changes, lockVersion, async (tx, place) => {
    if (body) requireKnownFields('bodyTranslations', body)
    if (survey) await requireSmsSurvey(ctx, tx, survey, place)
  })
}

/** The survey must belong to the campaign's place and accept text messages. @throws {AppError} `invalid` */
async function requireSmsSurvey(ctx: Ctx, tx: Tx, surveyId: string, { hubId, projectId }: CampaignPlace): Promise<void> {
  const [found] = await tx
    .select({ hubId: projects.hubId, projectId: projects.id })
    .from(surveys)
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
    .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId)))
  const here = found && (projectId ? found.projectId === projectId : hubId === null || found.hubId === hubId)
  if (!here || !(await isOpenToTexts(ctx, tx, surveyId)))
    throw new AppError('invalid', { faults: [{ code: 'not-by-text', pointer: '/survey' }] })
}

export async function countMessagesByStatus(
  ctx: Ctx,
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, Partial<Record<SmsStatus, number>>>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select({ campaign: smsMessages.campaignId, status: smsMessages.status, total: count() })
    .from(smsMessages)
    .where(and(eq(smsMessages.siteId, ctx.site.id), inArray(smsMessages.campaignId, [...ids])))
    .groupBy(smsMessages.campaignId, smsMessages.status)
  const counts = new Map<string, Partial<Record<SmsStatus, number>>>()
  for (const { campaign, status, total } of rows) {
    if (campaign) counts.set(campaign, { ...counts.get(campaign), [status]: total })
  }
  return counts
}

/** What it would take to send a campaign to everybody it would reach now, by language. */
export interface SmsEstimate {
  id: string
  recipients: number
  segments: number
  languages: { language: ContentLanguage; recipients: number; segments: number }[]
  withoutArea: number | null
  /** Estimated cost; null if no price is set. */
  cost: { amount: number; currency: Currency } | null
  /** The site's monthly limit, and how much of it is used or reserved by other campaigns; null without a limit. */
  credit: { limit: number; used: number } | null
}

/** @throws {AppError} `not-found` */
async function requireSmsCampaign(ctx: Ctx, id: string): Promise<CampaignRow> {
  const [row] = await loadSmsCampaignsById(ctx, [id])
  if (!row) throw new AppError('not-found')
  return row
}

/** Counts every text as its reader would get it. */
export async function estimateSmsCampaigns(ctx: Ctx, ids: readonly string[]): Promise<SmsEstimate[]> {
  const rows = await loadSmsCampaignsById(ctx, ids)
  return Promise.all(rows.map((row) => estimateSmsCampaign(ctx, row)))
}

async function estimateSmsCampaign(ctx: Ctx, row: CampaignRow): Promise<SmsEstimate> {
  const languages = [...(await countByLanguage(ctx, row))].map(([language, counted]) => ({ language, ...counted }))
  const segments = languages.reduce((sum, one) => sum + one.segments, 0)
  const { price, textsAMonth } = await loadSpending(ctx)
  return {
    id: row.id,
    recipients: languages.reduce((sum, { recipients }) => sum + recipients, 0),
    segments,
    languages,
    withoutArea: await countWithoutArea(ctx, row),
    cost: price && { amount: price.amount * segments, currency: price.currency },
    credit:
      textsAMonth === null ? null : { limit: textsAMonth, used: await ctx.db.read((tx) => countTextsPromised(ctx, tx, ctx.now(), row.id)) },
  }
}

/** A recipient, with only the last digits of their number. */
export interface SmsRecipient {
  id: string
  login: string
  phone: string
  language: ContentLanguage
  body: string
}

/** A page of the people a draft would reach now. @throws {AppError} `not-found` */
export async function listSmsRecipients(
  ctx: Ctx,
  query: { campaign: string; offset: number; limit: number },
): Promise<{ rows: SmsRecipient[]; total: number }> {
  const row = await requireSmsCampaign(ctx, query.campaign)
  const text = await createTextComposer(ctx, row)
  const { readers, total } = await loadReaderPage(ctx, row, query)
  const rows = readers.map((reader) => ({
    id: reader.id,
    login: reader.login,
    phone: `…${reader.address.slice(-4)}`,
    ...text(reader),
  }))
  return { rows, total }
}

/**
 * Sends a campaign now or at the given time.
 * @throws {AppError} `forbidden`, even if the viewer may draft it; `conflict` if it was already sent; `sms-not-enabled`; `sms-limit-passed`
 * if too little is left of that month's limit; `invalid` with each language that the text lacks
 */
export async function sendSmsCampaign(ctx: Ctx, input: { campaign: string; sendAt?: Date | null | undefined }): Promise<string> {
  const row = await requireSmsCampaign(ctx, input.campaign)
  requireSendPermission(ctx, row)
  if (!(await canSendSms(ctx))) throw new AppError('sms-not-enabled')
  const missing = findMissingTranslations({ bodyTranslations: row.body }, ctx.site.languages)
  if (missing.length) throw new AppError('invalid', { faults: missing })
  const { textsAMonth } = await loadSpending(ctx)
  const texts = textsAMonth === null ? 0 : (await estimateSmsCampaign(ctx, row)).segments
  const at = input.sendAt ?? ctx.now()
  await scheduleCampaign(ctx, row, input.sendAt, async (tx) => {
    if (row.surveyId) await requireAnswerableByText(ctx, tx, row.surveyId, at)
    if (textsAMonth !== null) await reserveTexts(ctx, tx, row, { texts, limit: textsAMonth, at })
  })
  return row.id
}

/** Reserves part of a month's limit for a campaign. @throws {AppError} `sms-limit-passed` */
async function reserveTexts(ctx: Ctx, tx: Tx, { id }: CampaignRow, { texts, limit, at }: { texts: number; limit: number; at: Date }) {
  await lockSpending(ctx, tx)
  const left = Math.max(0, limit - (await countTextsPromised(ctx, tx, at, id)))
  if (texts > left) throw new AppError('sms-limit-passed', { values: { texts, limit, left } })
  await tx.update(campaigns).set({ promised: texts }).where(buildCampaignCondition(ctx, id))
}

/** Campaigns that have been scheduled, whatever their state now. */
export const loadSmsSendingsById = async (ctx: Ctx, ids: readonly string[]): Promise<CampaignRow[]> =>
  (await loadSmsCampaignsById(ctx, ids)).filter(({ status }) => status !== 'draft')

const buildWaitingCondition = (ctx: Ctx, campaignId: string) =>
  and(eq(smsMessages.siteId, ctx.site.id), eq(smsMessages.campaignId, campaignId), eq(smsMessages.status, 'waiting'))

export const SMS_QUEUE: CampaignQueue = {
  hold: (ctx, tx, id) => tx.update(smsMessages).set({ nextAttemptAt: null }).where(buildWaitingCondition(ctx, id)),
  release: (ctx, tx, id) =>
    tx
      .update(smsMessages)
      .set({ nextAttemptAt: ctx.now() })
      .where(and(buildWaitingCondition(ctx, id), isNull(smsMessages.nextAttemptAt))),
  drop: (ctx, tx, id) =>
    tx
      .update(smsMessages)
      .set({ status: 'skipped', fault: 'campaign-cancelled', settledAt: ctx.now(), nextAttemptAt: null })
      .where(buildWaitingCondition(ctx, id)),
}

/**
 * Sends the campaign's text to the viewer's own number in one language.
 * @returns the message's id
 * @throws {AppError} `no-phone`, `too-many-requests`
 */
export async function sendTestSms(ctx: Ctx, input: { campaign: string; language: ContentLanguage }): Promise<string> {
  const row = await requireSmsCampaign(ctx, input.campaign)
  if (!(await canSendSms(ctx))) throw new AppError('sms-not-enabled')
  const { viewer } = ctx
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  await countAttempt(ctx, [{ name: 'sms-test', of: viewer.id, most: 20, minutes: 60 }])
  const text = await createTextComposer(ctx, row)
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
