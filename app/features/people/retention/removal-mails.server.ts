import { and, asc, eq, or } from 'drizzle-orm'
import { canSignIn } from '#app/features/accounts/site-admins.server.ts'
import { getFormatter } from '#app/lib/format.ts'
import { matchLanguage } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import type { ProjectRetention } from './project-retentions.server.ts'

type UserRow = typeof users.$inferSelect

/** Tells the site's administrators, and those of the project and its department, what will be removed on which day, each in their language. */
export async function mailRemoval(ctx: Ctx, tx: Tx, project: ProjectRetention, at: Date): Promise<void> {
  for (const reader of await listTeam(tx, ctx.site.id, project)) await mailReader(ctx, tx, reader, project, at)
}

async function listTeam(tx: Tx, siteId: string, { id, hubId }: ProjectRetention): Promise<UserRow[]> {
  const rows = await tx
    .selectDistinctOn([users.id], { user: users })
    .from(memberships)
    .innerJoin(users, and(eq(users.siteId, memberships.siteId), eq(users.id, memberships.userId)))
    .where(
      and(
        eq(memberships.siteId, siteId),
        or(
          eq(memberships.role, 'site_admin'),
          and(eq(memberships.role, 'project_admin'), eq(memberships.projectId, id)),
          hubId === null ? undefined : and(eq(memberships.role, 'hub_admin'), eq(memberships.hubId, hubId)),
        ),
      ),
    )
    .orderBy(asc(users.id))
  return rows.map(({ user }) => user).filter(canSignIn)
}

async function mailReader(ctx: Ctx, tx: Tx, reader: UserRow, project: ProjectRetention, at: Date): Promise<void> {
  const { site } = ctx
  const language = matchLanguage(reader.locale, site.languages) ?? site.locale
  const t = getTranslator(language, 'mail')
  const format = getFormatter({ language, timeZone: site.timeZone, region: site.region })
  const names = {
    site: site.name,
    project: getTranslation(project.title, language, site.locale),
    date: format.date(at),
    closed: project.closedAt ? format.date(project.closedAt) : '',
  }
  const buildLink = (key: 'responses' | 'contributions', path: string) => ({
    label: t(`personal-data-goes.${key}`),
    href: buildSiteUrl(ctx, `${path}?project=${project.id}`),
  })
  await queueMail(ctx, tx, {
    kind: 'personal-data-goes',
    to: reader.email,
    userId: reader.id,
    language,
    content: {
      subject: t('personal-data-goes.subject', names),
      paragraphs: [
        t('personal-data-goes.text', names),
        t('personal-data-goes.what-goes', names),
        t('personal-data-goes.what-stays', names),
        t('personal-data-goes.what-to-do', names),
      ],
      links: [buildLink('responses', '/admin/surveys'), buildLink('contributions', '/admin/contributions')],
      action: { label: t('personal-data-goes.action', names), href: buildSiteUrl(ctx, `/admin/projects/${project.id}#retention`) },
      footer: t('personal-data-goes.footer', names),
    },
  })
}
