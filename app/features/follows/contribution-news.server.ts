import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { MailLanguages } from '#app/server/mail/mail-languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { projectMembers, projects } from '#app/server/db/schema/projects.ts'
import { contributionDigestItems, emailDigestItems, emailFollows, projectFollows } from '#app/server/db/schema/updates.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { computeDueAt, type DigestInterval } from './digest-times.server.ts'
import type { FollowMails } from './follows.schema.ts'

const HOUR_MS = 3_600_000
/** Contributions are announced this long after publication, when that transaction must have ended. */
const LAG_MS = 60_000

/** New contributions are only sent in digests, never one email each. */
const chooseContributionDigest = (mails: Exclude<FollowMails, 'never'>): DigestInterval => (mails === 'daily' ? 'daily' : 'weekly')

/** Adds activities with new contributions to their project followers' next digests. Each activity is checked at most once an hour. */
export async function gatherContributionNews(ctx: Ctx): Promise<void> {
  const { site } = ctx
  const now = ctx.now().getTime()
  const until = sql`${new Date(now - LAG_MS).toISOString()}::timestamptz`
  await ctx.db.tx((tx) =>
    tx.execute(sql`
      with due as (
        select a.id, a.project_id, a.news_until from ${activities} a
        where a.site_id = ${site.id} and a.status = 'published' and a.news_until <= ${new Date(now - HOUR_MS).toISOString()}::timestamptz
          and exists (select from ${contributions} c where c.site_id = a.site_id and c.activity_id = a.id and c.state = 'published'
            and c.published_at > a.news_until and c.published_at <= ${until})
        for update of a skip locked
      ), queued as (
        insert into ${contributionDigestItems} (site_id, user_id, activity_id, since, due_at)
        select ${site.id}::uuid, u.id, due.id, due.news_until,
          case u.follow_mails when 'daily' then ${computeDueAt(ctx, 'daily')} else ${computeDueAt(ctx, 'weekly')} end
        from due
        join ${projectFollows} f on f.site_id = ${site.id} and f.project_id = due.project_id
        join ${users} u on u.site_id = f.site_id and u.id = f.user_id
        where u.follow_mails <> 'never' and u.email_confirmed_at is not null and u.blocked_at is null
        on conflict do nothing
      ), queued_by_address as (
        -- Only what everybody may see: nobody knows whose address it is.
        insert into ${emailDigestItems} (site_id, follow_id, activity_id, since, due_at)
        select ${site.id}::uuid, f.id, due.id, due.news_until, ${computeDueAt(ctx, 'weekly')}
        from due
        join ${projects} p on p.site_id = ${site.id} and p.id = due.project_id and p.visibility = 'public'
        join ${emailFollows} f on f.site_id = p.site_id and f.project_id = p.id
        on conflict do nothing
      )
      update ${activities} a set news_until = ${until} from due where a.site_id = ${site.id} and a.id = due.id`),
  )
}

/** Reschedules waiting contributions after a change of frequency. */
export async function rescheduleContributionNews(ctx: Ctx, tx: Tx, userId: string, mails: FollowMails): Promise<void> {
  const own = and(eq(contributionDigestItems.siteId, ctx.site.id), eq(contributionDigestItems.userId, userId))
  if (mails === 'never') await tx.delete(contributionDigestItems).where(own)
  else
    await tx
      .update(contributionDigestItems)
      .set({ dueAt: computeDueAt(ctx, chooseContributionDigest(mails)) })
      .where(own)
}

export const isContributionNewsDue = (ctx: Ctx, userId: SQL | typeof users.id): SQL | undefined =>
  and(
    eq(contributionDigestItems.siteId, ctx.site.id),
    eq(contributionDigestItems.userId, userId),
    lte(contributionDigestItems.dueAt, ctx.now()),
  )

export interface ContributionNews {
  activity: Translated
  project: Translated
  path: string
  count: number
}

/** Takes a reader's due items: activities of projects that they still follow and may see, with the contributions of others that are new to them. */
export async function takeContributionNews(ctx: Ctx, tx: Tx, userId: string): Promise<ContributionNews[]> {
  const siteId = ctx.site.id
  const taken = await tx
    .delete(contributionDigestItems)
    .where(isContributionNewsDue(ctx, sql`${userId}::uuid`))
    .returning({ activity: contributionDigestItems.activityId, since: contributionDigestItems.since })
  if (taken.length === 0) return []
  const { rows } = await tx.execute<{ activity: Translated; project: Translated; path: string; count: number }>(sql`
    select a.title as activity, p.title as project, '/projects/' || p.slug || '/' || a.slug as path, fresh.count
    from jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) given(activity uuid, since timestamptz)
    join ${activities} a on a.site_id = ${siteId} and a.id = given.activity and a.status = 'published'
    join ${projects} p on p.site_id = a.site_id and p.id = a.project_id and p.status = 'published'
    join ${projectFollows} f on f.site_id = p.site_id and f.project_id = p.id and f.user_id = ${userId}
    cross join lateral (
      select count(*)::int as count from ${contributions} c
      where c.site_id = a.site_id and c.activity_id = a.id and c.state = 'published'
        and c.published_at > given.since and c.published_at <= a.news_until and c.author_id is distinct from ${userId}
    ) fresh
    where fresh.count > 0 and (p.visibility = 'public' or p.visibility = 'members' and exists (
      select from ${projectMembers} m where m.site_id = p.site_id and m.project_id = p.id and m.user_id = ${userId}))
    order by p.id, a.position, a.id`)
  return rows
}

/** @param isOfOneProject the mail names the project already */
export const buildContributionLinks = (
  ctx: Ctx,
  { language, contentLanguage }: MailLanguages,
  news: readonly ContributionNews[],
  { isOfOneProject = false }: { isOfOneProject?: boolean } = {},
) =>
  news.map(({ activity, project, path, count }) => ({
    label: getTranslator(language, 'mail')(isOfOneProject ? 'address-digest.contributions' : 'follow-digest.contributions', {
      count,
      activity: getTranslation(activity, contentLanguage, ctx.site.locale),
      project: getTranslation(project, contentLanguage, ctx.site.locale),
    }),
    href: buildSiteUrl(ctx, `/${contentLanguage}${path}`),
  }))
