import { and, count, eq, isNull, sql } from 'drizzle-orm'
import { buildNewsUnsubscribeUrl } from '#app/features/follows/unsubscribe-links.server.ts'
import { type ContentLanguage, listContentLanguages } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { campaignMails, outboxMails } from '#app/server/db/schema/mail.ts'
import type { Reader } from '../audience.server.ts'
import type { StoredCampaign } from '../campaigns.server.ts'
import type { CampaignChannel } from '../campaign-channel.ts'
import { createLinkCollector } from '../links/message-links.server.ts'
import { composeNewsletter } from './compose-newsletter.server.ts'
import { createLanguageChooser, findNewsletterGaps, readNewsletterBlocks } from './newsletters.schema.ts'

/** An email that was not sent on purpose. */
export const SKIPPED_CONDITION = sql`${outboxMails.fault} in ('campaign-cancelled', 'consent-withdrawn', 'address-bounced')`
/** Outcome of an email, derived from the columns of its row. */
export const MAIL_TALLY = {
  accepted: sql<number>`count(*) filter (where ${outboxMails.sentAt} is not null)::int`,
  skipped: sql<number>`count(*) filter (where ${outboxMails.sentAt} is null and ${SKIPPED_CONDITION})::int`,
  failed: sql<number>`count(*) filter (where ${outboxMails.sentAt} is null and ${outboxMails.fault} is not null and not ${SKIPPED_CONDITION})::int`,
  waiting: sql<number>`count(*) filter (where ${outboxMails.sentAt} is null and ${outboxMails.fault} is null)::int`,
}

export const NEWSLETTER_CHANNEL: CampaignChannel = {
  // Without a mail service, emails wait in the outbox.
  isReady: () => Promise.resolve(true),
  writeMessages: async (ctx, tx, campaign, readers) => {
    const language = await freezeContent(ctx, tx, campaign)
    return insertMails(ctx, tx, campaign.id, readers, language)
  },
  loadProgress: async (ctx, tx, { id, prepared }) => {
    const ofCampaign = and(eq(outboxMails.siteId, ctx.site.id), eq(outboxMails.campaignId, id))
    const [open] = await tx
      .select({ total: count() })
      .from(outboxMails)
      .where(and(ofCampaign, isNull(outboxMails.sentAt), isNull(outboxMails.fault)))
    if (open?.total) return { open: open.total }
    const [came] = await tx.select(MAIL_TALLY).from(outboxMails).where(ofCampaign)
    const { accepted = 0, failed = 0 } = came ?? {}
    // Emails of accounts deleted meanwhile are gone: they count as skipped.
    return { open: 0, tally: { accepted, failed, skipped: prepared - accepted - failed } }
  },
}

/** Renders the newsletter once in each language it is complete in. @returns a function from a reader's language to the one they get */
async function freezeContent(ctx: Ctx, tx: Tx, campaign: StoredCampaign): Promise<(wanted: ContentLanguage) => ContentLanguage> {
  const { locale } = ctx.site
  const languages = listContentLanguages(ctx.site)
  const blocks = readNewsletterBlocks(campaign.content)
  const gaps = findNewsletterGaps(campaign.subject, blocks, languages)
  const language = createLanguageChooser(gaps, languages, locale)
  const fixed = await tx
    .select({ language: campaignMails.language })
    .from(campaignMails)
    .where(and(eq(campaignMails.siteId, ctx.site.id), eq(campaignMails.campaignId, campaign.id)))
  if (fixed.length) return language
  for (const one of new Set(languages.map(language))) {
    const links = createLinkCollector(ctx)
    const said = await composeNewsletter(ctx, { ...campaign, blocks }, one, links.shorten)
    await links.store(tx, campaign.id, one)
    await tx.insert(campaignMails).values({ siteId: ctx.site.id, campaignId: campaign.id, language: one, ...said })
  }
  return language
}

/**
 * Inserts emails from a single JSON parameter, because building a statement with thousands of values costs more than running it.
 * @returns how many were new
 */
async function insertMails(
  ctx: Ctx,
  tx: Tx,
  campaignId: string,
  readers: readonly Reader[],
  language: (wanted: ContentLanguage) => ContentLanguage,
): Promise<number> {
  const given = readers.map((reader) => {
    const gets = language(reader.locale)
    return {
      id: createId(),
      recipient: reader.address,
      name: reader.login,
      user_id: reader.id,
      language: gets,
      leave_url: buildNewsUnsubscribeUrl(ctx, gets, reader.id),
    }
  })
  const now = sql`${ctx.now().toISOString()}::timestamptz`
  const written = await tx.execute(sql`
    insert into ${outboxMails}
      (site_id, id, kind, recipient, recipient_name, user_id, language, subject, body_text, body_html, leave_url, campaign_id, created_at, next_attempt_at)
    select ${ctx.site.id}::uuid, given.id, 'newsletter', given.recipient, given.name, given.user_id, given.language, said.subject, '', '',
      given.leave_url, ${campaignId}::uuid, ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      given(id uuid, recipient text, name text, user_id uuid, language text, leave_url text)
    join ${campaignMails} said on said.site_id = ${ctx.site.id} and said.campaign_id = ${campaignId} and said.language = given.language
    on conflict do nothing`)
  return written.rowCount ?? 0
}
