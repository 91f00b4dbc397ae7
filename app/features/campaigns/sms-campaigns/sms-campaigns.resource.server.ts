import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { SmsStatus } from '#app/lib/vocabulary/sms.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { AudienceNames } from '../campaigns.schema.ts'
import { loadAudienceNames } from '../audience-filters.server.ts'
import { cancelCampaign, type CampaignRow, deleteCampaign, canSendCampaign, pauseCampaign, toCampaignPlace } from '../campaigns.server.ts'
import { smsCampaignShape, smsEstimateShape, smsRecipientShape, smsSendingShape, smsTestShape } from './sms-campaigns.api.schema.ts'
import {
  countMessagesByStatus,
  createSmsCampaign,
  type SmsEstimate,
  estimateSmsCampaigns,
  listSmsRecipients,
  listSmsCampaigns,
  type SmsRecipient,
  sendSmsCampaign,
  loadSmsSendingsById,
  sendTestSms,
  loadSmsCampaignsById,
  updateSmsCampaign,
  SMS_QUEUE,
} from './sms-campaigns.server.ts'

type CountedSmsCampaign = CampaignRow & { counts: Partial<Record<SmsStatus, number>>; chosen: AudienceNames }

async function addCounts(ctx: Ctx, rows: readonly CampaignRow[]): Promise<CountedSmsCampaign[]> {
  const counts = await ctx.db.read((tx) =>
    countMessagesByStatus(
      ctx,
      tx,
      rows.map(({ id }) => id),
    ),
  )
  const chosen = await loadAudienceNames(
    ctx,
    rows.map(({ audience }) => audience),
  )
  return rows.map((row, at) => ({ ...row, counts: counts.get(row.id) ?? {}, chosen: chosen[at] ?? {} }))
}

export const smsCampaignResource = implementResource(smsCampaignShape, {
  load: async (ctx, ids) => addCounts(ctx, await loadSmsCampaignsById(ctx, ids)),
  list: async (ctx, { page }) => {
    const { rows, total } = await listSmsCampaigns(ctx, page)
    return { rows: await addCounts(ctx, rows), total }
  },
  can: ({ viewer }, row: CountedSmsCampaign) => ({
    update: row.status === 'draft' && checkPermission(viewer, 'campaigns.send', toCampaignPlace(row)).ok,
    send: canSendCampaign(viewer, row),
  }),
  lockVersion: (row) => row.lockVersion,
  attributes: ({ counts, ...row }: CountedSmsCampaign) => ({
    name: row.name,
    body: row.body,
    audience: row.audience,
    chosen: row.chosen,
    status: row.status,
    sendAt: row.sendAt,
    finishedAt: row.finishedAt,
    counts: {
      prepared: row.prepared,
      waiting: (counts.waiting ?? 0) + (counts.sending ?? 0),
      accepted: (counts.accepted ?? 0) + (counts.delivered ?? 0),
      delivered: counts.delivered ?? 0,
      failed: counts.failed ?? 0,
      skipped: counts.skipped ?? 0,
    },
    overLimit: row.overLimit,
    createdAt: row.createdAt,
  }),
  relationships: { hub: { id: (row) => row.hubId }, project: { id: (row) => row.projectId }, survey: { id: (row) => row.surveyId } },
  create: createSmsCampaign,
  update: (ctx, row, input, lock) => updateSmsCampaign(ctx, row, input, lock.version),
  remove: deleteCampaign,
})

export const smsEstimateResource = implementResource(smsEstimateShape, {
  load: estimateSmsCampaigns,
  attributes: ({ recipients, segments, languages, withoutArea, cost, credit }: SmsEstimate) => ({
    recipients,
    segments,
    languages,
    withoutArea,
    cost,
    credit,
  }),
})

export const smsRecipientResource = implementResource(smsRecipientShape, {
  list: async (ctx, { filter, page }) => {
    if (!filter.campaign) throw new AppError('invalid-parameter', { parameter: 'filter[campaign]' })
    return listSmsRecipients(ctx, { campaign: filter.campaign, ...page })
  },
  attributes: ({ login, phone, language, body }: SmsRecipient) => ({ login, phone, language, body }),
})

export const smsSendingResource = implementResource(smsSendingShape, {
  load: loadSmsSendingsById,
  attributes: ({ status }) => ({ paused: status === 'paused' }),
  relationships: { campaign: { id: ({ id }) => id } },
  create: sendSmsCampaign,
  update: (ctx, row, { paused }) => (paused === undefined ? Promise.resolve() : pauseCampaign(ctx, row, paused, SMS_QUEUE)),
  remove: (ctx, row) => cancelCampaign(ctx, row, SMS_QUEUE),
})

export const smsTestResource = implementResource(smsTestShape, {
  create: async (ctx, { campaign, language }): Promise<{ id: string; campaign: string; language: ContentLanguage }> => ({
    id: await sendTestSms(ctx, { campaign, language }),
    campaign,
    language,
  }),
  attributes: ({ language }) => ({ language }),
  relationships: { campaign: { id: ({ campaign }) => campaign } },
})
