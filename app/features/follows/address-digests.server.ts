import { and, asc, eq, exists, lte, sql } from 'drizzle-orm'
import { addCampaignParameters } from '#app/lib/campaign-parameters.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { chooseMailLanguages } from '#app/server/mail/mail-languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { emailDigestItems, emailFollows } from '#app/server/db/schema/updates.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { buildContributionLinks, type ContributionNews } from './contribution-news.server.ts'
import { buildUnsubscribeUrl } from './unsubscribe-links.server.ts'

type Follow = typeof emailFollows.$inferSelect

/**
 * Sends one digest to a follower without an account: each project has its own, so that its link unsubscribes from that project only. The
 * digest's items are deleted in the same transaction.
 * @returns how many emails were queued; undefined if no digest is due
 */
export function mailNextAddress(ctx: Ctx): Promise<number | undefined> {
  return ctx.db.tx(async (tx) => {
    const due = tx
      .select({ one: sql`1` })
      .from(emailDigestItems)
      .where(and(eq(emailDigestItems.siteId, ctx.site.id), eq(emailDigestItems.followId, emailFollows.id), isDue(ctx)))
    const [follow] = await tx
      .select()
      .from(emailFollows)
      .where(and(eq(emailFollows.siteId, ctx.site.id), exists(due)))
      .orderBy(asc(emailFollows.id))
      .limit(1)
      .for('no key update', { skipLocked: true })
    if (!follow) return undefined
    const news = await takeNews(ctx, tx, follow)
    const [first] = news
    if (!first) return 0
    await queueAddressDigest(ctx, tx, follow, { news, project: first.project })
    return 1
  })
}

const isDue = (ctx: Ctx) => lte(emailDigestItems.dueAt, ctx.now())

/** Takes a follower's due items: activities of a project that everybody may see, with what is new to them and still published. */
async function takeNews(ctx: Ctx, tx: Tx, follow: Follow): Promise<(ContributionNews & { projectPath: string })[]> {
  const siteId = ctx.site.id
  const taken = await tx
    .delete(emailDigestItems)
    .where(and(eq(emailDigestItems.siteId, siteId), eq(emailDigestItems.followId, follow.id), isDue(ctx)))
    .returning({ activity: emailDigestItems.activityId, since: emailDigestItems.since })
  const { rows } = await tx.execute<{ activity: Translated; project: Translated; path: string; projectPath: string; count: number }>(sql`
    select a.title as activity, p.title as project, '/projects/' || p.slug as "projectPath",
      '/projects/' || p.slug || '/' || a.slug as path, fresh.count
    from jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) given(activity uuid, since timestamptz)
    join ${activities} a on a.site_id = ${siteId} and a.id = given.activity and a.project_id = ${follow.projectId} and a.status = 'published'
    join ${projects} p on p.site_id = a.site_id and p.id = a.project_id and p.status = 'published' and p.visibility = 'public'
    cross join lateral (
      select count(*)::int as count from ${contributions} c
      where c.site_id = a.site_id and c.activity_id = a.id and c.state = 'published'
        and c.published_at > given.since and c.published_at <= a.news_until
    ) fresh
    where fresh.count > 0 order by a.position, a.id`)
  return rows
}

async function queueAddressDigest(
  ctx: Ctx,
  tx: Tx,
  follow: Follow,
  { news, project }: { news: readonly (ContributionNews & { projectPath: string })[]; project: Translated },
): Promise<void> {
  const { site } = ctx
  const { language, contentLanguage } = chooseMailLanguages(site, follow.locale)
  const t = getTranslator(language, 'mail')
  const names = { site: site.name, project: getTranslation(project, contentLanguage, site.locale) }
  const leave = buildUnsubscribeUrl(ctx, contentLanguage, { kind: 'address', followId: follow.id })
  await queueMail(ctx, tx, {
    kind: 'follow-digest',
    to: follow.email,
    userId: null,
    language,
    leaveUrl: leave,
    content: {
      subject: t('address-digest.subject', names),
      paragraphs: [t('address-digest.text', names)],
      links: buildContributionLinks(ctx, { language, contentLanguage }, news, { isOfOneProject: true }).map(({ label, href }) => ({
        label,
        href: addCampaignParameters(href, 'digest'),
      })),
      action: {
        label: t('address-digest.action'),
        href: addCampaignParameters(buildSiteUrl(ctx, `/${contentLanguage}${news[0]?.projectPath ?? ''}`), 'digest'),
      },
      footer: t('project-update.footer', names),
      leave: { label: t('project-update.leave'), href: leave },
    },
  })
}
