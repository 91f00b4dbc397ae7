import { and, asc, eq } from 'drizzle-orm'
import { hasNewsConsent, withdrawNewsConsent } from '#app/features/accounts/mail-consents.server.ts'
import {
  endContributionFollow,
  followsContribution,
  listFollowedContributions,
} from '#app/features/contributions/following/follow-contribution.server.ts'
import { requireVisibleProject, listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { requireProjectBySlug } from '#app/features/projects/projects.server.ts'
import { endWeeklyMails, loadTeamMails, readTeamMails } from '#app/features/teamwork/team-mails.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'
import { rescheduleDigest } from './digests.server.ts'
import { endAddressFollow, loadAddressFollow } from './email-follows.server.ts'
import type { FollowMails, Follows } from './follows.schema.ts'
import { endReportMails, isReportRecipient } from './report-recipients.server.ts'
import { type Unsubscription, parseUnsubscribeToken } from './unsubscribe-links.server.ts'

/**
 * Follows or unfollows a project, for people with an account on this site. Idempotent. A follower can leave a project that is no
 * longer visible to them.
 * @throws {AppError} `unauthenticated`, `forbidden` for a platform account, `not-found`
 */
export function setFollowing(ctx: Ctx, input: { slug: string; following: boolean }): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const { viewer, site } = ctx
    const project = await requireProjectBySlug(ctx, tx, input.slug)
    if (input.following || !(await isFollower(ctx, tx, project.id))) await requireVisibleProject(ctx, tx, project)
    if (viewer.kind !== 'user') throw new AppError('unauthenticated')
    if (viewer.siteId !== site.id) throw new AppError('forbidden')
    if (input.following) {
      await tx
        .insert(projectFollows)
        .values({ siteId: site.id, projectId: project.id, userId: viewer.id, createdAt: ctx.now() })
        .onConflictDoNothing()
      return
    }
    await tx
      .delete(projectFollows)
      .where(and(eq(projectFollows.siteId, site.id), eq(projectFollows.projectId, project.id), eq(projectFollows.userId, viewer.id)))
  })
}

async function isFollower({ viewer, site }: Ctx, tx: Tx, projectId: string): Promise<boolean> {
  if (viewer.kind !== 'user') return false
  const found = await tx
    .select({ projectId: projectFollows.projectId })
    .from(projectFollows)
    .where(and(eq(projectFollows.siteId, site.id), eq(projectFollows.projectId, projectId), eq(projectFollows.userId, viewer.id)))
  return found.length > 0
}

/** What the emailed link would end, and whether it is still active. `project` is the title of the project or contribution. */
export type LinkedMails =
  | { kind: 'project' | 'contribution'; project: string; going: boolean }
  | { kind: 'news' | 'follows' | 'weekly' | 'report'; going: boolean }

/** Works without signing in. @throws {AppError} `link-expired` */
export async function loadLinkedMails(ctx: Ctx, token: string): Promise<LinkedMails> {
  const leave = requireUnsubscription(ctx, token)
  if (leave.kind === 'news') return { kind: 'news', going: (await hasNewsConsent(ctx, leave.userId)) ?? false }
  return ctx.db.read(async (tx) => {
    if (leave.kind === 'follows') {
      const [user] = await tx.select({ mails: users.followMails }).from(users).where(buildUserCondition(ctx, leave.userId))
      return { kind: 'follows', going: user !== undefined && user.mails !== 'never' }
    }
    if (leave.kind === 'weekly') return { kind: 'weekly', going: (await loadTeamMails(tx, ctx.site.id, leave.userId)).weekly }
    if (leave.kind === 'contribution') {
      const [row] = await tx
        .select({ title: contributions.title })
        .from(contributions)
        .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, leave.contributionId)))
      return { kind: 'contribution', project: row?.title ?? '', going: await followsContribution(ctx, tx, leave) }
    }
    if (leave.kind === 'address') return loadAddressFollow(ctx, tx, leave.followId)
    if (leave.kind === 'report') return { kind: 'report', going: await isReportRecipient(ctx, tx, leave) }
    const [project] = await tx
      .select({ title: projects.title })
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, leave.projectId)))
    const following = await tx.select({ userId: projectFollows.userId }).from(projectFollows).where(buildFollowCondition(ctx, leave))
    return { kind: 'project', project: getTranslation(project?.title, ctx.contentLanguage, ctx.site.locale), going: following.length > 0 }
  })
}

/** Ends what the emailed link names. Idempotent. @throws {AppError} `link-expired` */
export async function unsubscribeByLink(ctx: Ctx, token: string): Promise<void> {
  const leave = requireUnsubscription(ctx, token)
  if (leave.kind === 'news') await withdrawNewsConsent(ctx, leave.userId)
  else if (leave.kind === 'follows') await saveFollowMails(ctx, leave.userId, 'never')
  else if (leave.kind === 'weekly') await ctx.db.tx((tx) => endWeeklyMails(tx, ctx.site.id, leave.userId))
  else if (leave.kind === 'contribution') await ctx.db.tx((tx) => endContributionFollow(ctx, tx, leave))
  else if (leave.kind === 'address') await ctx.db.tx((tx) => endAddressFollow(ctx, tx, leave.followId))
  else if (leave.kind === 'report') await ctx.db.tx((tx) => endReportMails(ctx, tx, leave))
  else await ctx.db.tx((tx) => tx.delete(projectFollows).where(buildFollowCondition(ctx, leave)))
}

function requireUnsubscription(ctx: Ctx, token: string): Unsubscription {
  const leave = parseUnsubscribeToken(ctx, token)
  if (!leave) throw new AppError('link-expired')
  return leave
}

const buildFollowCondition = (ctx: Ctx, { projectId, userId }: Extract<Unsubscription, { kind: 'project' }>) =>
  and(eq(projectFollows.siteId, ctx.site.id), eq(projectFollows.projectId, projectId), eq(projectFollows.userId, userId))

const buildUserCondition = (ctx: Ctx, userId: string) => and(eq(users.siteId, ctx.site.id), eq(users.id, userId))

/** Projects the viewer follows on this site and the frequency of emails; null without an account on this site. */
export async function readFollows(ctx: Ctx): Promise<Follows | null> {
  const { viewer, site } = ctx
  if (viewer.kind !== 'user' || viewer.siteId !== site.id) return null
  const team = await readTeamMails(ctx)
  return ctx.db.read(async (tx) => {
    const [user] = await tx.select({ mails: users.followMails }).from(users).where(buildUserCondition(ctx, viewer.id))
    const rows = await tx
      .select({ slug: projects.slug, title: projects.title })
      .from(projectFollows)
      .innerJoin(projects, and(eq(projects.siteId, projectFollows.siteId), eq(projects.id, projectFollows.projectId)))
      .where(and(eq(projectFollows.siteId, site.id), eq(projectFollows.userId, viewer.id), listedWhere(ctx)))
      .orderBy(asc(projectFollows.createdAt))
    return {
      team,
      mails: user?.mails ?? 'at-once',
      contributions: await listFollowedContributions(ctx, tx, viewer.id),
      projects: rows.map(({ slug, title }) => ({ slug, title: getTranslation(title, ctx.contentLanguage, site.locale) })),
    }
  })
}

/** Sets how often the viewer gets email about what they follow. @throws {AppError} `unauthenticated`, `forbidden` for a platform account */
export async function setFollowMails(ctx: Ctx, mails: FollowMails): Promise<void> {
  const { viewer, site } = ctx
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  if (viewer.siteId !== site.id) throw new AppError('forbidden')
  await saveFollowMails(ctx, viewer.id, mails)
}

const saveFollowMails = (ctx: Ctx, userId: string, mails: FollowMails): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await tx.update(users).set({ followMails: mails }).where(buildUserCondition(ctx, userId))
    await rescheduleDigest(ctx, tx, userId, mails)
  })
