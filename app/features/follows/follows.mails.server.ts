import { and, asc, eq, exists, inArray, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm'
import { recordEvents } from '#app/features/marketplace/webhooks/webhook-events.server.ts'
import { addCampaignParameters } from '#app/lib/campaign-parameters.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { chooseMailLanguages } from '#app/server/mail/mail-languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { projectMembers, projects } from '#app/server/db/schema/projects.ts'
import { projectFollows, projectUpdates } from '#app/server/db/schema/updates.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { queueForDigest } from './digests.server.ts'
import { loadAddressFollowers } from './email-follows.server.ts'
import type { FollowMails } from './follows.schema.ts'
import { buildUnsubscribeUrl } from './unsubscribe-links.server.ts'

type Update = typeof projectUpdates.$inferSelect
type Project = typeof projects.$inferSelect
type FollowedProject = Pick<Project, 'id' | 'visibility'>
type Reader = Pick<typeof users.$inferSelect, 'id' | 'email' | 'login' | 'locale'> & { mails: FollowMails }

/**
 * Sends new updates to the followers of each project on every site: one email per follower and update, in their language, or an item in
 * their digest.
 * The update is marked as sent in the same transaction, so that no email is written twice after a crash.
 * @returns how many emails were queued
 */
export function mailDueUpdates(runtime: Runtime): Promise<number> {
  return runOnEachSite(runtime, async (ctx) => {
    let written = 0
    // One update per transaction keeps transactions short.
    for (let mails = await mailNextUpdate(ctx); mails !== undefined; mails = await mailNextUpdate(ctx)) written += mails
    return written
  })
}

/** Sends the oldest unsent update; undefined if there is none. */
function mailNextUpdate(ctx: Ctx): Promise<number | undefined> {
  return ctx.db.tx(async (tx) => {
    const [due] = await tx
      .select({ update: projectUpdates, project: projects })
      .from(projectUpdates)
      .innerJoin(projects, and(eq(projects.siteId, projectUpdates.siteId), eq(projects.id, projectUpdates.projectId)))
      .where(
        and(
          eq(projectUpdates.siteId, ctx.site.id),
          isNull(projectUpdates.notifiedAt),
          lte(projectUpdates.publishedAt, ctx.now()),
          eq(projects.status, 'published'),
          inArray(projects.visibility, ['public', 'members']),
        ),
      )
      .orderBy(asc(projectUpdates.publishedAt))
      .limit(1)
      .for('update', { of: projectUpdates, skipLocked: true })
    if (!due) return undefined
    await tx
      .update(projectUpdates)
      .set({ notifiedAt: ctx.now() })
      .where(and(eq(projectUpdates.siteId, ctx.site.id), eq(projectUpdates.id, due.update.id)))
    await recordEvents(tx, ctx.site.id, 'update.published', ctx.now(), [
      {
        subjectId: due.update.id,
        data: {
          update: due.update.id,
          project: due.project.id,
          title: due.update.title,
          url: buildSiteUrl(ctx, `/projects/${due.project.slug}/updates/${due.update.slug}`),
        },
      },
    ])
    const readers = await loadFollowers(ctx, tx, due.project)
    const now = readers.filter(({ mails }) => mails === 'at-once')
    for (const reader of now) await queueUpdateMail(ctx, tx, reader, due)
    const later = readers.flatMap(({ id, mails }) => (mails === 'daily' || mails === 'weekly' ? [{ id, mails }] : []))
    await queueForDigest(ctx, tx, due.update.id, later)
    const addresses = await loadAddressFollowers(ctx, tx, due.project)
    for (const follower of addresses) await queueUpdateMail(ctx, tx, follower, due)
    return now.length + addresses.length
  })
}

/** How many people an update of the project is sent to, at once or in their digest, with an account or by email address only. */
export const countFollowers = (ctx: Ctx, project: FollowedProject): Promise<number> =>
  ctx.db.read(async (tx) => (await loadFollowers(ctx, tx, project)).length + (await loadAddressFollowers(ctx, tx, project)).length)

/** Followers with a confirmed address who may see the project. */
function loadFollowers(ctx: Ctx, tx: Tx, project: FollowedProject): Promise<Reader[]> {
  const member = tx
    .select({ one: sql`1` })
    .from(projectMembers)
    .where(
      and(
        eq(projectMembers.siteId, ctx.site.id),
        eq(projectMembers.projectId, project.id),
        eq(projectMembers.userId, projectFollows.userId),
      ),
    )
  return tx
    .select({ id: users.id, email: users.email, login: users.login, locale: users.locale, mails: users.followMails })
    .from(projectFollows)
    .innerJoin(users, and(eq(users.siteId, projectFollows.siteId), eq(users.id, projectFollows.userId)))
    .where(
      and(
        eq(projectFollows.siteId, ctx.site.id),
        eq(projectFollows.projectId, project.id),
        isNotNull(users.emailConfirmedAt),
        isNull(users.blockedAt),
        ne(users.followMails, 'never'),
        project.visibility === 'members' ? exists(member) : undefined,
      ),
    )
    .orderBy(asc(users.id))
}

/** A follower with an account, or by email address only. */
type Addressee = Pick<Reader, 'id' | 'email' | 'locale'> & { login?: string }

async function queueUpdateMail(
  ctx: Ctx,
  tx: Tx,
  reader: Addressee,
  { update, project }: { update: Update; project: Project },
): Promise<void> {
  const { site } = ctx
  const { language, contentLanguage } = chooseMailLanguages(site, reader.locale)
  const t = getTranslator(language, 'mail')
  const names = {
    site: site.name,
    project: getTranslation(project.title, contentLanguage, site.locale),
    title: getTranslation(update.title, contentLanguage, site.locale),
  }
  const buildPageUrl = (path: string) => buildSiteUrl(ctx, `/${contentLanguage}${path}`)
  const leave = buildUnsubscribeUrl(
    ctx,
    contentLanguage,
    reader.login === undefined ? { kind: 'address', followId: reader.id } : { kind: 'project', projectId: project.id, userId: reader.id },
  )
  await queueMail(ctx, tx, {
    kind: 'project-update',
    to: reader.email,
    userId: reader.login === undefined ? null : reader.id,
    language,
    leaveUrl: leave,
    content: {
      subject: t('project-update.subject', names),
      paragraphs: [...(reader.login === undefined ? [] : [t('greeting', { name: reader.login })]), t('project-update.text', names)],
      action: {
        label: t('project-update.action'),
        href: addCampaignParameters(buildPageUrl(`/projects/${project.slug}/updates/${update.slug}`), 'update'),
      },
      footer: t('project-update.footer', names),
      leave: { label: t('project-update.leave'), href: leave },
    },
  })
}
