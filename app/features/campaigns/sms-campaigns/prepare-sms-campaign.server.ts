import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { canSendSms } from '#app/features/marketplace/installations.server.ts'
import { lockSpending, loadSpending, countTextsWritten } from '#app/features/sms/sms-spending.server.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { measureSegments } from '#app/lib/sms-segments.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Tx } from '#app/server/db/client.ts'
import { smsMessages } from '#app/server/db/schema/messages.ts'
import type { Reader } from '../audience.server.ts'
import type { Audience } from '../campaigns.schema.ts'
import { shortenTexts } from '../links/message-links.server.ts'
import { LimitExceeded, type CampaignChannel } from '../campaign-channel.ts'
import { countByLanguage, createTextComposer } from './compose-sms.server.ts'

export const SMS_CHANNEL: CampaignChannel = {
  isReady: canSendSms,
  isWithinLimit: async (ctx, campaign) => {
    const { textsAMonth } = await loadSpending(ctx)
    if (textsAMonth === null || campaign.prepared > 0) return true
    const counted = await countByLanguage(ctx, { ...campaign, audience: campaign.audience as Audience })
    const needed = [...counted.values()].reduce((sum, { segments }) => sum + segments, 0)
    return (await ctx.db.read((tx) => countTextsWritten(ctx, tx, ctx.now()))) + needed <= textsAMonth
  },
  writeMessages: async (ctx, tx, campaign, readers) => {
    const text = await createTextComposer(ctx, campaign)
    const texts = await shortenTexts(
      ctx,
      tx,
      campaign.id,
      readers.map((reader) => ({ reader, ...text(reader) })),
    )
    const { textsAMonth } = await loadSpending(ctx)
    if (textsAMonth !== null) await lockSpending(ctx, tx)
    const written = await insertMessages(tx, ctx.site.id, campaign.id, ctx.now(), texts)
    // Includes the messages just written, so that concurrent campaigns cannot exceed the limit together.
    if (textsAMonth !== null && (await countTextsWritten(ctx, tx, ctx.now())) > textsAMonth) throw new LimitExceeded()
    return written
  },
  loadProgress: async (ctx, tx, { id }) => {
    const [open] = await tx
      .select({ total: count() })
      .from(smsMessages)
      .where(and(eq(smsMessages.siteId, ctx.site.id), eq(smsMessages.campaignId, id), inArray(smsMessages.status, ['waiting', 'sending'])))
    return { open: open?.total ?? 0 }
  },
}

/**
 * Inserts text messages from a single JSON parameter, because building a statement with thousands of values costs more than running it.
 * @returns how many were new
 */
async function insertMessages(
  tx: Tx,
  siteId: string,
  campaignId: string,
  now: Date,
  texts: readonly { reader: Reader; body: string; language: ContentLanguage }[],
): Promise<number> {
  const given = texts.map(({ reader, body, language }) => ({
    id: createId(),
    phone: reader.address,
    user_id: reader.id,
    language,
    body,
    segments: measureSegments(body).segments,
  }))
  const written = await tx.execute(sql`
    insert into ${smsMessages}
      (site_id, id, direction, purpose, status, phone, user_id, language, body, segments, campaign_id, created_at, next_attempt_at)
    select ${siteId}::uuid, id, 'out', 'campaign', 'waiting', phone, user_id, language, body, segments, ${campaignId}::uuid, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) given(id uuid, phone text, user_id uuid, language text, body text, segments int)
    on conflict do nothing`)
  return written.rowCount ?? 0
}
