import { decide } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { SmsStatus } from '../sms.schema.ts'
import { smsCampaignShape, smsEstimateShape, smsRecipientShape, smsSendingShape, smsTestShape } from './campaigns.api.schema.ts'
import {
  type CampaignRow,
  campaignsById,
  countsOf,
  createCampaign,
  deleteCampaign,
  listCampaigns,
  maySend,
  placeOf,
  updateCampaign,
} from './campaigns.server.ts'
import {
  cancelCampaign,
  type Estimate,
  estimates,
  listRecipients,
  pauseCampaign,
  type Recipient,
  sendCampaign,
  sendingsById,
  testCampaign,
} from './sendings.server.ts'

type Counted = CampaignRow & { counts: Partial<Record<SmsStatus, number>> }

async function counted(ctx: Ctx, rows: readonly CampaignRow[]): Promise<Counted[]> {
  const counts = await ctx.db.tx((tx) =>
    countsOf(
      ctx,
      tx,
      rows.map(({ id }) => id),
    ),
  )
  return rows.map((row) => ({ ...row, counts: counts.get(row.id) ?? {} }))
}

export const smsCampaignResource = implementResource(smsCampaignShape, {
  load: async (ctx, ids) => counted(ctx, await campaignsById(ctx, ids)),
  list: async (ctx, { page }) => {
    const { rows, total } = await listCampaigns(ctx, page)
    return { rows: await counted(ctx, rows), total }
  },
  can: ({ viewer }, row: Counted) => ({
    update: row.status === 'draft' && decide(viewer, 'campaigns.send', placeOf(row)).ok,
    send: maySend(viewer, row),
  }),
  lockVersion: (row) => row.lockVersion,
  attributes: ({ counts, ...row }: Counted) => ({
    name: row.name,
    body: row.body,
    audience: row.audience,
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
    createdAt: row.createdAt,
  }),
  relationships: { hub: { id: (row) => row.hubId }, project: { id: (row) => row.projectId }, survey: { id: (row) => row.surveyId } },
  create: createCampaign,
  update: (ctx, row, input, lock) => updateCampaign(ctx, row, input, lock.version),
  remove: deleteCampaign,
})

export const smsEstimateResource = implementResource(smsEstimateShape, {
  load: estimates,
  attributes: ({ recipients, segments, languages }: Estimate) => ({ recipients, segments, languages }),
})

export const smsRecipientResource = implementResource(smsRecipientShape, {
  list: async (ctx, { filter, page }) => {
    if (!filter.campaign) throw new AppError('invalid-parameter', { parameter: 'filter[campaign]' })
    return listRecipients(ctx, { campaign: filter.campaign, ...page })
  },
  attributes: ({ login, phone, language, body }: Recipient) => ({ login, phone, language, body }),
})

export const smsSendingResource = implementResource(smsSendingShape, {
  load: sendingsById,
  attributes: ({ status }) => ({ paused: status === 'paused' }),
  relationships: { campaign: { id: ({ id }) => id } },
  create: sendCampaign,
  update: (ctx, row, { paused }) => (paused === undefined ? Promise.resolve() : pauseCampaign(ctx, row, paused)),
  remove: cancelCampaign,
})

export const smsTestResource = implementResource(smsTestShape, {
  create: async (ctx, { campaign, language }): Promise<{ id: string; campaign: string; language: Language }> => ({
    id: await testCampaign(ctx, { campaign, language }),
    campaign,
    language,
  }),
  attributes: ({ language }) => ({ language }),
  relationships: { campaign: { id: ({ campaign }) => campaign } },
})
