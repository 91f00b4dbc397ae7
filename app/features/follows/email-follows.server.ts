import { and, asc, eq, exists, isNotNull, or, sql } from 'drizzle-orm'
import { projectColumns, requireVisibleProject, type ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import { requireProjectBySlug } from '#app/features/projects/projects.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { contributionDigestItems, emailDigestItems, emailFollows, projectFollows } from '#app/server/db/schema/updates.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { limitMails } from '#app/server/limits/mails.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { CONFIRM_DAYS, createRequestToken, type FollowRequest, requireFollowRequest } from './follow-requests.server.ts'
import type { EmailFollow, FollowTarget } from './follows.schema.ts'

/** The project of the page that asks for an email address. @throws {AppError} `not-found` */
export function loadFollowTarget(ctx: Ctx, slug: string): Promise<FollowTarget> {
  const { viewer } = ctx
  return ctx.db.read(async (tx) => {
    const project = await requireFollowableProject(ctx, tx, slug)
    const isFollowing = viewer.kind === 'user' && (await isAddressFollowing(ctx, tx, { projectId: project.id, email: viewer.email }))
    return { ...describeProject(ctx, project), isFollowing }
  })
}

/**
 * Emails a link that confirms following a project by email address, without an account. The response is the same for every address.
 * @throws {AppError} `not-found`, `too-many-requests`
 */
export async function requestEmailFollow(ctx: Ctx, { slug, email }: { slug: string; email: string }): Promise<void> {
  const { title, id } = await ctx.db.read((tx) => requireFollowableProject(ctx, tx, slug))
  await countAttempt(ctx, limitMails(ctx, 'follow', email))
  const { language, contentLanguage } = ctx
  const t = getTranslator(language, 'mail')
  const names = { site: ctx.site.name, project: getTranslation(title, contentLanguage, ctx.site.locale) }
  const token = createRequestToken(ctx, { projectId: id, email, language: contentLanguage })
  await ctx.db.tx((tx) =>
    queueMail(ctx, tx, {
      kind: 'confirm-follow',
      to: email,
      userId: null,
      language,
      content: {
        subject: t('confirm-follow.subject', names),
        paragraphs: [t('confirm-follow.text', names)],
        action: { label: t('confirm-follow.action'), href: buildSiteUrl(ctx, `/${contentLanguage}/follow?token=${token}`) },
        small: [t('confirm-follow.works', { count: CONFIRM_DAYS }), t('confirm-follow.not-you')],
        footer: t('footer', { site: ctx.site.name, address: new URL(buildSiteUrl(ctx, '/')).host }),
      },
    }),
  )
}

/** What the emailed link would confirm. @throws {AppError} `link-expired` */
export function loadEmailFollow(ctx: Ctx, token: string): Promise<EmailFollow> {
  const request = requireFollowRequest(ctx, token)
  return ctx.db.read(async (tx) => {
    const project = await requireLinkedProject(ctx, tx, request)
    return { ...describeProject(ctx, project), email: request.email, isFollowing: await isAddressFollowing(ctx, tx, request) }
  })
}

/** Follows the project: with the account that has the address, if there is one, else by the address. Idempotent. @throws {AppError} `link-expired` */
export async function confirmEmailFollow(ctx: Ctx, token: string): Promise<void> {
  const request = requireFollowRequest(ctx, token)
  const { site } = ctx
  await ctx.db.tx(async (tx) => {
    const { id: projectId } = await requireLinkedProject(ctx, tx, request)
    await tx
      .insert(emailFollows)
      .values({ siteId: site.id, id: createId(), projectId, email: request.email, locale: request.language, createdAt: ctx.now() })
      .onConflictDoNothing()
    const [account] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.siteId, site.id), eq(users.email, request.email), isNotNull(users.emailConfirmedAt)))
    if (account) await moveAddressFollows(tx, { siteId: site.id, userId: account.id, email: request.email })
  })
}

/** Moves what a confirmed address follows to its account, so that each update is sent once. */
export async function moveAddressFollows(
  tx: Tx,
  { siteId, userId, email }: { siteId: string; userId: string; email: string },
): Promise<void> {
  // News that waits for the address waits for the account, with the moment since when it is new.
  await tx.execute(sql`
    insert into ${contributionDigestItems} as own (site_id, user_id, activity_id, since, due_at)
    select i.site_id, u.id, i.activity_id, i.since, i.due_at
    from ${emailDigestItems} i
    join ${emailFollows} f on f.site_id = i.site_id and f.id = i.follow_id and f.email = ${email}
    join ${users} u on u.site_id = f.site_id and u.id = ${userId} and u.follow_mails <> 'never'
    where i.site_id = ${siteId}
    on conflict (site_id, user_id, activity_id) do update set since = least(own.since, excluded.since)`)
  const followed = await tx
    .delete(emailFollows)
    .where(and(eq(emailFollows.siteId, siteId), eq(emailFollows.email, email)))
    .returning({ projectId: emailFollows.projectId, createdAt: emailFollows.createdAt })
  if (followed.length === 0) return
  await tx
    .insert(projectFollows)
    .values(followed.map((each) => ({ siteId, userId, ...each })))
    .onConflictDoNothing()
}

/** Addresses without an account that follow a project which everybody may see. */
export async function loadAddressFollowers(ctx: Ctx, tx: Tx, project: Pick<ProjectRow, 'id' | 'visibility'>) {
  if (project.visibility !== 'public') return []
  return tx
    .select({ id: emailFollows.id, email: emailFollows.email, locale: emailFollows.locale })
    .from(emailFollows)
    .where(and(eq(emailFollows.siteId, ctx.site.id), eq(emailFollows.projectId, project.id)))
    .orderBy(asc(emailFollows.id))
}

export const readOwnAddressFollows = (tx: Tx, siteId: string, email: string) =>
  tx
    .select({ projectId: projects.id, project: projects.title, since: emailFollows.createdAt })
    .from(emailFollows)
    .innerJoin(projects, and(eq(projects.siteId, emailFollows.siteId), eq(projects.id, emailFollows.projectId)))
    .where(and(eq(emailFollows.siteId, siteId), eq(emailFollows.email, email)))
    .orderBy(asc(emailFollows.createdAt))

/** What an unsubscribe link for an address would end. */
export async function loadAddressFollow(ctx: Ctx, tx: Tx, followId: string): Promise<{ kind: 'project'; project: string; going: boolean }> {
  const [found] = await tx
    .select({ title: projects.title })
    .from(emailFollows)
    .innerJoin(projects, and(eq(projects.siteId, emailFollows.siteId), eq(projects.id, emailFollows.projectId)))
    .where(isFollow(ctx, followId))
  return { kind: 'project', project: getTranslation(found?.title, ctx.contentLanguage, ctx.site.locale), going: found !== undefined }
}

export const endAddressFollow = (ctx: Ctx, tx: Tx, followId: string) => tx.delete(emailFollows).where(isFollow(ctx, followId))

const isFollow = (ctx: Ctx, followId: string) => and(eq(emailFollows.siteId, ctx.site.id), eq(emailFollows.id, followId))

async function requireFollowableProject(ctx: Ctx, tx: Tx, slug: string): Promise<ProjectRow> {
  const project = await requireProjectBySlug(ctx, tx, slug)
  await requireVisibleProject(ctx, tx, project)
  return project
}

/** The project of a link, if the link's reader may still see it. @throws {AppError} `link-expired` */
async function requireLinkedProject(ctx: Ctx, tx: Tx, { projectId }: FollowRequest): Promise<ProjectRow> {
  const [project] = await tx
    .select(projectColumns)
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, projectId), eq(projects.status, 'published')))
  if (!project || (project.visibility !== 'public' && project.visibility !== 'link')) throw new AppError('link-expired')
  return project
}

const describeProject = (ctx: Ctx, { slug, title }: ProjectRow) => ({
  slug,
  title: localiseText(title, ctx.contentLanguage, ctx.site.locale),
})

async function isAddressFollowing(ctx: Ctx, tx: Tx, { projectId, email }: Pick<FollowRequest, 'projectId' | 'email'>): Promise<boolean> {
  const siteId = ctx.site.id
  const [found] = await tx
    .select({ one: sql`1` })
    .from(projects)
    .where(
      and(
        eq(projects.siteId, siteId),
        eq(projects.id, projectId),
        or(
          exists(
            tx
              .select({ one: sql`1` })
              .from(emailFollows)
              .where(and(eq(emailFollows.siteId, siteId), eq(emailFollows.projectId, projectId), eq(emailFollows.email, email))),
          ),
          exists(
            tx
              .select({ one: sql`1` })
              .from(projectFollows)
              .innerJoin(users, and(eq(users.siteId, siteId), eq(users.id, projectFollows.userId), eq(users.email, email)))
              .where(and(eq(projectFollows.siteId, siteId), eq(projectFollows.projectId, projectId))),
          ),
        ),
      ),
    )
  return found !== undefined
}
