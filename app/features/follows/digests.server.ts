import { and, asc, eq, exists, inArray, lte, or, sql } from 'drizzle-orm'
import { addCampaignParameters } from '#app/lib/campaign-parameters.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { chooseMailLanguages } from '#app/server/mail/mail-languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { projectMembers, projects } from '#app/server/db/schema/projects.ts'
import { contributionDigestItems, followDigestItems, projectFollows, projectUpdates } from '#app/server/db/schema/updates.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import {
  buildContributionLinks,
  type ContributionNews,
  gatherContributionNews,
  isContributionNewsDue,
  rescheduleContributionNews,
  takeContributionNews,
} from './contribution-news.server.ts'
import { mailNextAddress } from './address-digests.server.ts'
import { computeDueAt, type DigestInterval } from './digest-times.server.ts'
import type { FollowMails } from './follows.schema.ts'
import { buildUnsubscribeUrl } from './unsubscribe-links.server.ts'

/** Queues an update for the digests of these readers. */
export async function queueForDigest(
  ctx: Ctx,
  tx: Tx,
  updateId: string,
  readers: readonly { id: string; mails: DigestInterval }[],
): Promise<void> {
  for (const mails of ['daily', 'weekly'] as const) {
    const ids = readers.filter((reader) => reader.mails === mails).map(({ id }) => id)
    if (ids.length === 0) continue
    await tx.execute(sql`insert into ${followDigestItems} (site_id, user_id, update_id, due_at)
      select ${ctx.site.id}::uuid, given::uuid, ${updateId}::uuid, ${computeDueAt(ctx, mails)}
      from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) given on conflict do nothing`)
  }
}

/** Reschedules waiting news after a change of frequency: for the new time, now, or never. */
export async function rescheduleDigest(ctx: Ctx, tx: Tx, userId: string, mails: FollowMails): Promise<void> {
  const own = and(eq(followDigestItems.siteId, ctx.site.id), eq(followDigestItems.userId, userId))
  if (mails === 'never') await tx.delete(followDigestItems).where(own)
  else
    await tx
      .update(followDigestItems)
      .set({ dueAt: mails === 'at-once' ? ctx.now() : computeDueAt(ctx, mails) })
      .where(own)
  await rescheduleContributionNews(ctx, tx, userId, mails)
}

/**
 * Sends due digests on every site: one email per reader about everything they follow, in their language. Items are deleted in the same
 * transaction, so that nothing is sent twice after a crash.
 * @returns how many emails were queued
 */
export function mailDueDigests(runtime: Runtime): Promise<number> {
  return runOnEachSite(runtime, async (ctx) => {
    await gatherContributionNews(ctx)
    let written = 0
    for (const mailNext of [mailNextReader, mailNextAddress])
      for (let mailed = await mailNext(ctx); mailed !== undefined; mailed = await mailNext(ctx)) written += mailed
    return written
  })
}

/** Sends the next reader's digest; undefined if nobody is due. */
function mailNextReader(ctx: Ctx): Promise<number | undefined> {
  const siteId = ctx.site.id
  return ctx.db.tx(async (tx) => {
    const updates = tx
      .select({ one: sql`1` })
      .from(followDigestItems)
      .where(and(eq(followDigestItems.siteId, siteId), eq(followDigestItems.userId, users.id), lte(followDigestItems.dueAt, ctx.now())))
    const fresh = tx
      .select({ one: sql`1` })
      .from(contributionDigestItems)
      .where(isContributionNewsDue(ctx, users.id))
    const [reader] = await tx
      .select()
      .from(users)
      .where(and(eq(users.siteId, siteId), or(exists(updates), exists(fresh))))
      .orderBy(asc(users.id))
      .limit(1)
      .for('no key update', { skipLocked: true })
    if (!reader) return undefined
    const taken = await tx
      .delete(followDigestItems)
      .where(and(eq(followDigestItems.siteId, siteId), eq(followDigestItems.userId, reader.id), lte(followDigestItems.dueAt, ctx.now())))
      .returning({ updateId: followDigestItems.updateId })
    const contributions = await takeContributionNews(ctx, tx, reader.id)
    // Send nothing to readers who have been blocked or opted out meanwhile.
    if (!reader.emailConfirmedAt || reader.blockedAt || reader.followMails === 'never') return 0
    const ids = taken.map(({ updateId }) => updateId)
    const news = { updates: ids.length > 0 ? await selectUpdates(ctx, tx, reader.id, ids) : [], contributions }
    if (news.updates.length + news.contributions.length === 0) return 0
    await queueDigestMail(ctx, tx, reader, news)
    return 1
  })
}

interface DigestNews {
  updates: Awaited<ReturnType<typeof selectUpdates>>
  contributions: ContributionNews[]
}

/** Those of the updates whose project the reader still follows and may see. */
function selectUpdates(ctx: Ctx, tx: Tx, userId: string, updateIds: readonly string[]) {
  const siteId = ctx.site.id
  const member = tx
    .select({ one: sql`1` })
    .from(projectMembers)
    .where(and(eq(projectMembers.siteId, siteId), eq(projectMembers.projectId, projects.id), eq(projectMembers.userId, userId)))
  return tx
    .select({ title: projectUpdates.title, slug: projectUpdates.slug, project: projects.title, projectSlug: projects.slug })
    .from(projectUpdates)
    .innerJoin(projects, and(eq(projects.siteId, siteId), eq(projects.id, projectUpdates.projectId)))
    .innerJoin(
      projectFollows,
      and(eq(projectFollows.siteId, siteId), eq(projectFollows.projectId, projects.id), eq(projectFollows.userId, userId)),
    )
    .where(
      and(
        eq(projectUpdates.siteId, siteId),
        inArray(projectUpdates.id, [...updateIds]),
        eq(projects.status, 'published'),
        or(eq(projects.visibility, 'public'), and(eq(projects.visibility, 'members'), exists(member))),
        lte(projectUpdates.publishedAt, ctx.now()),
      ),
    )
    .orderBy(asc(projects.id), asc(projectUpdates.publishedAt))
}

async function queueDigestMail(ctx: Ctx, tx: Tx, reader: typeof users.$inferSelect, news: DigestNews): Promise<void> {
  const { site } = ctx
  const { language, contentLanguage } = chooseMailLanguages(site, reader.locale)
  const t = getTranslator(language, 'mail')
  const leave = buildUnsubscribeUrl(ctx, contentLanguage, { kind: 'follows', userId: reader.id })
  const buildPageUrl = (path: string) => buildSiteUrl(ctx, `/${contentLanguage}${path}`)
  await queueMail(ctx, tx, {
    kind: 'follow-digest',
    to: reader.email,
    userId: reader.id,
    language,
    leaveUrl: leave,
    content: {
      subject: t('follow-digest.subject', { site: site.name }),
      paragraphs: [t('greeting', { name: reader.login }), t('follow-digest.text')],
      links: [
        ...news.updates.map((one) => ({
          label: t('project-update.subject', {
            project: getTranslation(one.project, contentLanguage, site.locale),
            title: getTranslation(one.title, contentLanguage, site.locale),
          }),
          href: addCampaignParameters(buildPageUrl(`/projects/${one.projectSlug}/updates/${one.slug}`), 'digest'),
        })),
        ...buildContributionLinks(ctx, { language, contentLanguage }, news.contributions).map(({ label, href }) => ({
          label,
          href: addCampaignParameters(href, 'digest'),
        })),
      ],
      footer: t('follow-digest.footer', { site: site.name }),
      settings: { label: t('follow-digest.action'), href: buildPageUrl('/account/follows') },
      leave: { label: t('follow-digest.leave'), href: leave },
    },
  })
}
