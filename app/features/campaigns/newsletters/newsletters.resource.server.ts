import { decide } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { newId } from '#app/lib/uuid.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Chosen } from '../campaigns.schema.ts'
import { chosenOf } from '../chosen.server.ts'
import { cancelCampaign, type CampaignRow, deleteCampaign, maySend, pauseCampaign, placeOf } from '../campaigns.server.ts'
import {
  newsletterEstimateShape,
  newsletterRecipientShape,
  newsletterSendingShape,
  newsletterShape,
  newsletterTestShape,
} from './newsletters.api.schema.ts'
import {
  createLetter,
  type LetterCounts,
  letterCounts,
  type LetterEstimate,
  letterEstimates,
  type LetterRecipient,
  lettersById,
  letterSendingsById,
  listLetterRecipients,
  listLetters,
  sendLetter,
  testLetter,
  updateLetter,
  WAITING_LETTERS,
} from './newsletters.server.ts'

type Counted = CampaignRow & { counts: LetterCounts; chosen: Chosen }
const NOTHING: LetterCounts = { prepared: 0, waiting: 0, accepted: 0, failed: 0, skipped: 0, returned: 0 }

async function counted(ctx: Ctx, rows: readonly CampaignRow[]): Promise<Counted[]> {
  const counts = await letterCounts(ctx, rows)
  const chosen = await chosenOf(
    ctx,
    rows.map(({ audience }) => audience),
  )
  return rows.map((row, at) => ({ ...row, counts: counts.get(row.id) ?? NOTHING, chosen: chosen[at] ?? {} }))
}

export const newsletterResource = implementResource(newsletterShape, {
  load: async (ctx, ids) => counted(ctx, await lettersById(ctx, ids)),
  list: async (ctx, { page }) => {
    const { rows, total } = await listLetters(ctx, page)
    return { rows: await counted(ctx, rows), total }
  },
  can: ({ viewer }, row: Counted) => ({
    update: row.status === 'draft' && decide(viewer, 'campaigns.send', placeOf(row)).ok,
    send: maySend(viewer, row),
  }),
  lockVersion: (row) => row.lockVersion,
  attributes: (row: Counted) => ({
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
  create: createLetter,
  update: (ctx, row, input, lock) => updateLetter(ctx, row, input, lock.version),
  remove: deleteCampaign,
})

export const newsletterEstimateResource = implementResource(newsletterEstimateShape, {
  load: letterEstimates,
  attributes: ({ recipients, languages, withoutArea, unreachable, delivers }: LetterEstimate) => ({
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
    return listLetterRecipients(ctx, { campaign: filter.campaign, ...page })
  },
  attributes: ({ login, email, language }: LetterRecipient) => ({ login, email, language }),
})

export const newsletterSendingResource = implementResource(newsletterSendingShape, {
  load: letterSendingsById,
  attributes: ({ status }) => ({ paused: status === 'paused' }),
  relationships: { campaign: { id: ({ id }) => id } },
  create: sendLetter,
  update: (ctx, row, { paused }) => (paused === undefined ? Promise.resolve() : pauseCampaign(ctx, row, paused, WAITING_LETTERS)),
  remove: (ctx, row) => cancelCampaign(ctx, row, WAITING_LETTERS),
})

export const newsletterTestResource = implementResource(newsletterTestShape, {
  create: async (ctx, { campaign, language }): Promise<{ id: string; campaign: string; language: Language }> => {
    await testLetter(ctx, { campaign, language })
    return { id: newId(), campaign, language }
  },
  attributes: ({ language }) => ({ language }),
  relationships: { campaign: { id: ({ campaign }) => campaign } },
})
