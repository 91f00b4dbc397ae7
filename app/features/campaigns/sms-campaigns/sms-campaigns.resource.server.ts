import { decide } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { SmsStatus } from '#app/features/sms/sms.schema.ts'
import type { Chosen } from '../campaigns.schema.ts'
import { chosenOf } from '../chosen.server.ts'
import { cancelCampaign, type CampaignRow, deleteCampaign, maySend, pauseCampaign, placeOf } from '../campaigns.server.ts'
import { smsCampaignShape, smsEstimateShape, smsRecipientShape, smsSendingShape, smsTestShape } from './sms-campaigns.api.schema.ts'
import {
  countsOf,
  createText,
  type Estimate,
  estimates,
  listRecipients,
  listTexts,
  type Recipient,
  sendText,
  sendingsById,
  testText,
  textsById,
  updateText,
  WAITING_TEXTS,
} from './sms-campaigns.server.ts'

type Counted = CampaignRow & { counts: Partial<Record<SmsStatus, number>>; chosen: Chosen }

async function counted(ctx: Ctx, rows: readonly CampaignRow[]): Promise<Counted[]> {
  const counts = await ctx.db.tx((tx) =>
    countsOf(
      ctx,
      tx,
      rows.map(({ id }) => id),
    ),
  )
  const chosen = await chosenOf(
    ctx,
    rows.map(({ audience }) => audience),
  )
  return rows.map((row, at) => ({ ...row, counts: counts.get(row.id) ?? {}, chosen: chosen[at] ?? {} }))
}

export const smsCampaignResource = implementResource(smsCampaignShape, {
  load: async (ctx, ids) => counted(ctx, await textsById(ctx, ids)),
  list: async (ctx, { page }) => {
    const { rows, total } = await listTexts(ctx, page)
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
  create: createText,
  update: (ctx, row, input, lock) => updateText(ctx, row, input, lock.version),
  remove: deleteCampaign,
})

export const smsEstimateResource = implementResource(smsEstimateShape, {
  load: estimates,
  attributes: ({ recipients, segments, languages, withoutArea, cost, credit }: Estimate) => ({
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
    return listRecipients(ctx, { campaign: filter.campaign, ...page })
  },
  attributes: ({ login, phone, language, body }: Recipient) => ({ login, phone, language, body }),
})

export const smsSendingResource = implementResource(smsSendingShape, {
  load: sendingsById,
  attributes: ({ status }) => ({ paused: status === 'paused' }),
  relationships: { campaign: { id: ({ id }) => id } },
  create: sendText,
  update: (ctx, row, { paused }) => (paused === undefined ? Promise.resolve() : pauseCampaign(ctx, row, paused, WAITING_TEXTS)),
  remove: (ctx, row) => cancelCampaign(ctx, row, WAITING_TEXTS),
})

export const smsTestResource = implementResource(smsTestShape, {
  create: async (ctx, { campaign, language }): Promise<{ id: string; campaign: string; language: Language }> => ({
    id: await testText(ctx, { campaign, language }),
    campaign,
    language,
  }),
  attributes: ({ language }) => ({ language }),
  relationships: { campaign: { id: ({ campaign }) => campaign } },
})
