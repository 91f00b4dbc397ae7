import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { AudienceNames } from '../campaigns.schema.ts'
import { loadAudienceNames } from '../audience-filters.server.ts'
import { cancelCampaign, type CampaignRow, deleteCampaign, canSendCampaign, pauseCampaign, toCampaignPlace } from '../campaigns.server.ts'
import {
  newsletterEstimateShape,
  newsletterRecipientShape,
  newsletterSendingShape,
  newsletterShape,
  newsletterTestShape,
} from './newsletters.api.schema.ts'
import {
  createNewsletter,
  type NewsletterCounts,
  countNewsletterMails,
  type NewsletterEstimate,
  estimateNewsletters,
  type NewsletterRecipient,
  loadNewslettersById,
  loadNewsletterSendingsById,
  listNewsletterRecipients,
  listNewsletters,
  sendNewsletter,
  sendTestNewsletter,
  updateNewsletter,
  NEWSLETTER_QUEUE,
} from './newsletters.server.ts'

type CountedNewsletter = CampaignRow & { counts: NewsletterCounts; chosen: AudienceNames }
const NO_COUNTS: NewsletterCounts = { prepared: 0, waiting: 0, accepted: 0, failed: 0, skipped: 0, returned: 0 }

async function addCounts(ctx: Ctx, rows: readonly CampaignRow[]): Promise<CountedNewsletter[]> {
  const counts = await countNewsletterMails(ctx, rows)
  const chosen = await loadAudienceNames(
    ctx,
    rows.map(({ audience }) => audience),
  )
  return rows.map((row, at) => ({ ...row, counts: counts.get(row.id) ?? NO_COUNTS, chosen: chosen[at] ?? {} }))
}

export const newsletterResource = implementResource(newsletterShape, {
  load: async (ctx, ids) => addCounts(ctx, await loadNewslettersById(ctx, ids)),
  list: async (ctx, { page }) => {
    const { rows, total } = await listNewsletters(ctx, page)
    return { rows: await addCounts(ctx, rows), total }
  },
  can: ({ viewer }, row: CountedNewsletter) => ({
    update: row.status === 'draft' && checkPermission(viewer, 'campaigns.send', toCampaignPlace(row)).ok,
    send: canSendCampaign(viewer, row),
  }),
  lockVersion: (row) => row.lockVersion,
  attributes: (row: CountedNewsletter) => ({
    name: row.name,
    subject: row.subject,
    content: row.content as Record<string, unknown>,
    audience: row.audience,
    chosen: row.chosen,
    status: row.status,
    sendAt: row.sendAt,
    finishedAt: row.finishedAt,
    counts: row.counts,
    createdAt: row.createdAt,
  }),
  relationships: { hub: { id: (row) => row.hubId }, project: { id: (row) => row.projectId } },
  create: createNewsletter,
  update: (ctx, row, input, lock) => updateNewsletter(ctx, row, input, lock.version),
  remove: deleteCampaign,
})

export const newsletterEstimateResource = implementResource(newsletterEstimateShape, {
  load: estimateNewsletters,
  attributes: ({ recipients, languages, withoutArea, unreachable, delivers }: NewsletterEstimate) => ({
    recipients,
    languages,
    withoutArea,
    unreachable,
    delivers,
  }),
})

export const newsletterRecipientResource = implementResource(newsletterRecipientShape, {
  list: async (ctx, { filter, page }) => {
    if (!filter.campaign) throw new AppError('invalid-parameter', { parameter: 'filter[campaign]' })
    return listNewsletterRecipients(ctx, { campaign: filter.campaign, ...page })
  },
  attributes: ({ login, email, language }: NewsletterRecipient) => ({ login, email, language }),
})

export const newsletterSendingResource = implementResource(newsletterSendingShape, {
  load: loadNewsletterSendingsById,
  attributes: ({ status }) => ({ paused: status === 'paused' }),
  relationships: { campaign: { id: ({ id }) => id } },
  create: sendNewsletter,
  update: (ctx, row, { paused }) => (paused === undefined ? Promise.resolve() : pauseCampaign(ctx, row, paused, NEWSLETTER_QUEUE)),
  remove: (ctx, row) => cancelCampaign(ctx, row, NEWSLETTER_QUEUE),
})

export const newsletterTestResource = implementResource(newsletterTestShape, {
  create: async (ctx, { campaign, language }): Promise<{ id: string; campaign: string; language: ContentLanguage }> => {
    await sendTestNewsletter(ctx, { campaign, language })
    return { id: createId(), campaign, language }
  },
  attributes: ({ language }) => ({ language }),
  relationships: { campaign: { id: ({ campaign }) => campaign } },
})
