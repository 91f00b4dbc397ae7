import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { campaigns } from '#app/server/db/schema/messages.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { loadReadersAfter } from './audience.server.ts'
import type { Audience } from './campaigns.schema.ts'
import { loadMissingFilters } from './audience-filters.server.ts'
import type { StoredCampaign } from './campaigns.server.ts'
import { NEWSLETTER_CHANNEL } from './newsletters/prepare-newsletter.server.ts'
import { SMS_CHANNEL } from './sms-campaigns/prepare-sms-campaign.server.ts'
import { LimitExceeded, type CampaignChannel } from './campaign-channel.ts'

/** Number of messages written per transaction, together with the cursor. */
const MESSAGES_PER_BATCH = 2000
const CHANNELS: Readonly<Record<StoredCampaign['channel'], CampaignChannel>> = { sms: SMS_CHANNEL, email: NEWSLETTER_CHANNEL }

/** Advances every open campaign: writes its messages when it is due, and closes it when none is pending. @returns how many were open */
export function runCampaigns(runtime: Runtime): Promise<number> {
  return runOnEachSite(runtime, async (ctx) => {
    const open = await startAndLoadCampaigns(ctx)
    for (const campaign of open) {
      if (!(await CHANNELS[campaign.channel].isReady(ctx))) continue
      if (campaign.status === 'preparing') await prepareCampaign(ctx, campaign)
      else await closeCampaign(ctx, campaign.id)
    }
    return open.length
  })
}

function startAndLoadCampaigns(ctx: Ctx): Promise<StoredCampaign[]> {
  return ctx.db.tx(async (tx) => {
    await tx
      .update(campaigns)
      .set({ status: 'preparing' })
      .where(and(eq(campaigns.siteId, ctx.site.id), eq(campaigns.status, 'scheduled'), lte(campaigns.sendAt, ctx.now())))
    return tx
      .select()
      .from(campaigns)
      .where(and(eq(campaigns.siteId, ctx.site.id), or(inArray(campaigns.status, ['preparing', 'sending']), untalliedCondition)))
  })
}

/** Writes a campaign's messages in batches, each with its cursor, so that the next run after a crash continues where this one stopped. */
async function prepareCampaign(ctx: Ctx, campaign: StoredCampaign): Promise<void> {
  const { id, channel, preparedUntil } = campaign
  if (preparedUntil === null && (await returnToDraft(ctx, campaign))) return
  const whole = preparedUntil === null ? ((await CHANNELS[channel].isWithinLimit?.(ctx, campaign)) ?? true) : true
  if (!whole) return pauseAtLimit(ctx, campaign)
  try {
    while (await writeNextBatch(ctx, id));
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error
    await pauseAtLimit(ctx, campaign)
  }
}

/** Returns a campaign to draft if a filter's target is gone, so that its audience can be chosen again. @returns true if it did */
async function returnToDraft(ctx: Ctx, { id, channel, hubId, projectId, prepared, audience }: StoredCampaign): Promise<boolean> {
  return ctx.db.tx(async (tx) => {
    const gone = prepared > 0 ? [] : await loadMissingFilters(ctx, tx, audience as Audience)
    if (gone.length === 0) return false
    const changed = await tx
      .update(campaigns)
      .set({ status: 'draft', sendAt: null, promised: 0, updatedAt: ctx.now(), lockVersion: sql`${campaigns.lockVersion} + 1` })
      .where(and(eq(campaigns.siteId, ctx.site.id), eq(campaigns.id, id), eq(campaigns.status, 'preparing')))
      .returning({ id: campaigns.id })
    if (changed.length)
      await recordAudit(ctx, tx, {
        action: channel === 'sms' ? 'sms-campaigns.return' : 'newsletters.return',
        subject: { type: channel === 'sms' ? 'sms-campaigns' : 'newsletters', id },
        hubId,
        projectId,
        detail: { gone },
      })
    return true
  })
}

/** Pauses a campaign that would exceed the site's limit: its messages wait for an administrator's decision. */
async function pauseAtLimit(ctx: Ctx, { id, hubId, projectId }: StoredCampaign): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const stopped = await tx
      .update(campaigns)
      .set({ status: 'paused', overLimit: true, updatedAt: ctx.now() })
      .where(and(eq(campaigns.siteId, ctx.site.id), eq(campaigns.id, id), eq(campaigns.status, 'preparing')))
      .returning({ id: campaigns.id })
    if (!stopped.length) return
    await recordAudit(ctx, tx, {
      action: 'sms-campaigns.pause',
      subject: { type: 'sms-campaigns', id },
      hubId,
      projectId,
      detail: { reason: 'sms-limit-passed' },
    })
  })
}

/** @returns true if there is more to write */
function writeNextBatch(ctx: Ctx, id: string): Promise<boolean> {
  const own = and(eq(campaigns.siteId, ctx.site.id), eq(campaigns.id, id))
  return ctx.db.tx(async (tx) => {
    const [campaign] = await tx.select().from(campaigns).where(own).for('update')
    if (!campaign || campaign.status !== 'preparing') return false
    const audience = { ...campaign, audience: campaign.audience as Audience }
    const { readers, until } = await loadReadersAfter(ctx, tx, audience, campaign.preparedUntil, MESSAGES_PER_BATCH)
    const written = readers.length === 0 ? 0 : await CHANNELS[campaign.channel].writeMessages(ctx, tx, campaign, readers)
    await tx
      .update(campaigns)
      .set({ ...(until ? { preparedUntil: until } : { status: 'sending' }), prepared: sql`${campaigns.prepared} + ${written}` })
      .where(own)
    return until !== null
  })
}

/** A newsletter cancelled while some of its emails were being sent. */
const untalliedCondition = and(eq(campaigns.channel, 'email'), eq(campaigns.status, 'cancelled'), isNull(campaigns.tally))

/** A campaign is over once none of its messages is waiting or being sent. */
async function closeCampaign(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const own = and(eq(campaigns.siteId, ctx.site.id), eq(campaigns.id, id))
    const [campaign] = await tx
      .select()
      .from(campaigns)
      .where(and(own, or(eq(campaigns.status, 'sending'), untalliedCondition)))
      .for('update')
    if (!campaign) return
    const { open, tally = null } = await CHANNELS[campaign.channel].loadProgress(ctx, tx, campaign)
    if (open > 0) return
    const over = campaign.status === 'sending' ? { status: 'done' as const, finishedAt: ctx.now() } : {}
    await tx
      .update(campaigns)
      .set({ ...over, tally })
      .where(own)
  })
}
