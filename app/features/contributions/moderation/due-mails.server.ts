import { and, eq, lte, max } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationAppeals, moderationCases, isOpenCase, isPendingAppeal } from '#app/server/db/schema/moderation.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { listPermittedPeople } from '../record/permitted-people.server.ts'
import { listInvolved } from './appeals/appeal-deciders.server.ts'
import type { AppealRow } from './appeals/find-appeal.server.ts'
import { loadReader } from './decision-mails.server.ts'

const KIND = 'moderation-due'
const AT_MOST_EVERY_MS = 3_600_000

/** What one moderator should decide by now: since when each waits. */
interface DueWork {
  cases: Date[]
  appeals: Date[]
}

/**
 * Mails the people who may decide once a case is past its date or an appeal was sent: each at most once an hour, and not again for the same.
 * Run by a job.
 * @returns how many people
 */
export const mailDueWork = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, async (ctx) => {
    const due = await ctx.db.read((tx) => findDueWork(ctx, tx))
    let told = 0
    for (const [userId, work] of due) told += Number(await ctx.db.tx((tx) => mailWork(ctx, tx, userId, work)))
    return told
  })

async function findDueWork(ctx: Ctx, tx: Tx): Promise<Map<string, DueWork>> {
  const found = new Map<string, DueWork>()
  const addWork = (people: readonly { id: string }[], kind: keyof DueWork, since: Date) => {
    for (const { id } of people) {
      const work = found.get(id) ?? { cases: [], appeals: [] }
      work[kind].push(since)
      found.set(id, work)
    }
  }
  const listPeople = rememberPeople(ctx, tx)
  for (const { dueAt, project } of await selectDueCases(ctx, tx))
    addWork(await listPeople('contributions.moderate', project), 'cases', dueAt)
  for (const { appeal, project } of await selectPendingAppeals(ctx, tx)) {
    const people = await listPeople('moderation.appeals', project)
    const involved = await listInvolved(tx, appeal)
    const others = people.filter(({ id }) => !involved.has(id))
    addWork(others.length > 0 ? others : people, 'appeals', appeal.createdAt)
  }
  return found
}

type Project = typeof projects.$inferSelect

/** Many cases belong to few projects: the people of each are loaded once. */
function rememberPeople(ctx: Ctx, tx: Tx) {
  const known = new Map<string, ReturnType<typeof listPermittedPeople>>()
  return (action: 'contributions.moderate' | 'moderation.appeals', project: Project) => {
    const key = `${action} ${project.id}`
    const people = known.get(key) ?? listPermittedPeople(ctx, tx, action, project)
    known.set(key, people)
    return people
  }
}

const selectDueCases = (ctx: Ctx, tx: Tx): Promise<{ dueAt: Date; project: Project }[]> =>
  tx
    .select({ dueAt: moderationCases.dueAt, project: projects })
    .from(moderationCases)
    .innerJoin(contributions, and(eq(contributions.siteId, moderationCases.siteId), eq(contributions.id, moderationCases.contributionId)))
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .where(and(eq(moderationCases.siteId, ctx.site.id), isOpenCase, lte(moderationCases.dueAt, ctx.now())))

const selectPendingAppeals = (ctx: Ctx, tx: Tx): Promise<{ appeal: AppealRow; project: Project }[]> =>
  tx
    .select({ appeal: moderationAppeals, project: projects })
    .from(moderationAppeals)
    .innerJoin(moderationCases, and(eq(moderationCases.siteId, moderationAppeals.siteId), eq(moderationCases.id, moderationAppeals.caseId)))
    .innerJoin(contributions, and(eq(contributions.siteId, moderationCases.siteId), eq(contributions.id, moderationCases.contributionId)))
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .where(and(eq(moderationAppeals.siteId, ctx.site.id), isPendingAppeal))

/** @returns false if they were told within the hour, or know of all of it */
async function mailWork(ctx: Ctx, tx: Tx, userId: string, { cases, appeals }: DueWork): Promise<boolean> {
  const { site } = ctx
  // Two processes may run at once: the second one waits here, and then sees the first one's mail.
  await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.siteId, site.id), eq(users.id, userId)))
    .for('update')
  const [last] = await tx
    .select({ at: max(outboxMails.createdAt) })
    .from(outboxMails)
    .where(and(eq(outboxMails.siteId, site.id), eq(outboxMails.userId, userId), eq(outboxMails.kind, KIND)))
  const lastAt = last?.at?.getTime() ?? 0
  if (ctx.now().getTime() - lastAt < AT_MOST_EVERY_MS || ![...cases, ...appeals].some((since) => since.getTime() > lastAt)) return false
  const reader = await loadReader(ctx, tx, userId)
  if (!reader) return false
  const { language } = reader
  const t = getTranslator(language, 'mail')
  const names = { site: site.name }
  await queueMail(ctx, tx, {
    kind: KIND,
    to: reader.email,
    userId,
    language,
    content: {
      subject: t('moderation-due.subject', names),
      paragraphs: [
        ...(cases.length > 0 ? [t('moderation-due.cases', { ...names, count: cases.length })] : []),
        ...(appeals.length > 0 ? [t('moderation-due.appeals', { ...names, count: appeals.length })] : []),
      ],
      action: {
        label: t('moderation-due.action'),
        href: buildSiteUrl(ctx, cases.length > 0 ? '/admin/moderation' : '/admin/moderation/waiting'),
      },
      footer: t('moderation-due.footer', names),
    },
  })
  return true
}
