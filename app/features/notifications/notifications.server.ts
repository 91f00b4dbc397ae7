import { and, eq, type SQL, sql } from 'drizzle-orm'
import { decide, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { inLanguage, type Translated } from '#app/lib/translated.ts'
import type { SignedIn } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { auditEvents, cityDatasets, installations, projects, readNotifications, surveyExports, surveys } from '#app/server/db/schema.ts'
import type { NotificationKind } from './notifications.schema.ts'

const TOLD_FOR_MS = 30 * 86_400_000

export interface Notification {
  id: string
  kind: NotificationKind
  title: string
  subject: string
  at: Date
  read: boolean
}

/** The newest first, with how many are unread. @throws {AppError} `unauthenticated` */
export async function listNotifications(
  ctx: Ctx,
  query: { read?: boolean | undefined; oldestFirst?: boolean; page: { limit: number; offset: number } },
): Promise<{ rows: Notification[]; total: number; meta: { unread: number } }> {
  if (ctx.viewer.kind !== 'user') throw new AppError('unauthenticated')
  const all = await told(ctx)
  const asked = all.filter(({ read }) => query.read === undefined || read === query.read)
  if (query.oldestFirst) asked.reverse()
  const { offset, limit } = query.page
  return { rows: asked.slice(offset, offset + limit), total: asked.length, meta: { unread: all.filter(({ read }) => !read).length } }
}

export const notificationsById = async (ctx: Ctx, ids: readonly string[]): Promise<Notification[]> =>
  (await told(ctx)).filter(({ id }) => ids.includes(id))

/** Notes that the viewer has read it, or has not. */
export async function markNotification(ctx: Ctx, { id }: Notification, read: boolean): Promise<void> {
  const { viewer, site } = ctx
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  const own = { siteId: site.id, userId: viewer.id, notificationId: id }
  await ctx.db.tx((tx) =>
    read
      ? tx
          .insert(readNotifications)
          .values({ ...own, readAt: ctx.now() })
          .onConflictDoUpdate({
            target: [readNotifications.siteId, readNotifications.userId, readNotifications.notificationId],
            set: { readAt: ctx.now() },
          })
      : tx
          .delete(readNotifications)
          .where(
            and(
              eq(readNotifications.siteId, own.siteId),
              eq(readNotifications.userId, own.userId),
              eq(readNotifications.notificationId, own.notificationId),
            ),
          ),
  )
}

/**
 * Everything that the viewer is told of, the newest first: found in what happened, and judged by the roles held now. Nothing for who
 * holds no role, and nothing for a guest of the site.
 */
async function told(ctx: Ctx): Promise<Notification[]> {
  const { viewer, site, language } = ctx
  if (viewer.kind !== 'user' || viewer.siteId !== site.id || viewer.roles.length === 0) return []
  const since = new Date(ctx.now().getTime() - TOLD_FOR_MS)
  const parts = sources(ctx, viewer, since)
  const { rows } = await ctx.db.tx((tx) =>
    tx.execute<{ id: string; kind: NotificationKind; title: Translated | string; subject: string; at: string; read: boolean }>(sql`
      select told.*, coalesce(r.read_at >= told.at, false) as read
      from (${sql.join(parts, sql` union all `)}) as told
      left join read_notifications r on r.site_id = ${site.id} and r.user_id = ${viewer.id} and r.notification_id = told.id
      where told.at >= ${since} order by told.at desc, told.id limit 200`),
  )
  return rows.map(({ id, kind, title, subject, at, read }) => ({
    id,
    kind,
    title: typeof title === 'string' ? title : inLanguage(title, language, site.locale),
    subject,
    at: new Date(at),
    read,
  }))
}

/** One query for each kind of thing: `id`, `kind`, `title` as JSON, `subject`, `at`. */
function sources({ site, now }: Ctx, viewer: SignedIn, since: Date): SQL[] {
  const where = (...conditions: (SQL | undefined)[]) => sql`where ${and(...conditions) ?? sql`true`}`
  const recent = and(eq(auditEvents.siteId, site.id), sql`${auditEvents.at} >= ${since}`, sql`${auditEvents.actorId} <> ${viewer.id}`)
  const ofProject = sql`join ${projects} on ${projects.siteId} = ${auditEvents.siteId} and ${projects.id} = ${auditEvents.projectId}`
  const place = { hub: projects.hubId, project: projects.id }
  const found = [
    // Asked of those who may publish, for as long as it waits; of several requests for one project the last.
    sql`(select distinct on (${projects.id}) ${auditEvents.id} as id, 'review' as kind, ${projects.title} as title,
          ${projects.id}::text as subject, ${auditEvents.at} as at from ${auditEvents} ${ofProject}
        ${where(recent, eq(auditEvents.action, 'projects.request-review'), eq(projects.status, 'in_review'), scopeWhere(viewer, 'projects.create', { hub: projects.hubId }))}
        order by ${projects.id}, ${auditEvents.at} desc)`,
    // What the viewer asked a review of, and somebody else published.
    sql`(select ${auditEvents.id}, 'published', ${projects.title}, ${projects.id}::text, ${auditEvents.at} from ${auditEvents} ${ofProject}
        ${where(
          recent,
          eq(auditEvents.action, 'projects.publish'),
          scopeWhere(viewer, 'projects.see-draft', place),
          sql`exists (select 1 from audit_events asked where asked.site_id = ${site.id} and asked.project_id = ${projects.id}
            and asked.action = 'projects.request-review' and asked.actor_id = ${viewer.id} and asked.at < ${auditEvents.at})`,
        )})`,
    sql`(select ${surveyExports.id}, case ${surveyExports.state} when 'done' then 'export' else 'export-failed' end, ${surveys.title},
          ${surveys.id}::text, ${surveyExports.finishedAt} from ${surveyExports}
        join ${surveys} on ${surveys.siteId} = ${surveyExports.siteId} and ${surveys.id} = ${surveyExports.surveyId}
        join ${projects} on ${projects.siteId} = ${surveys.siteId} and ${projects.id} = ${surveys.projectId}
        ${where(
          eq(surveyExports.siteId, site.id),
          eq(surveyExports.createdBy, viewer.id),
          sql`${surveyExports.state} in ('done', 'failed')`,
          sql`${surveyExports.finishedAt} is not null`,
          sql`${surveyExports.expiresAt} > ${now()}`,
          scopeWhere(viewer, 'responses.see', place),
        )})`,
  ]
  if (decide(viewer, 'site.edit').ok)
    // As of its last good copy: a try that fails again is not told again.
    found.push(
      sql`(select ${cityDatasets.id}, 'dataset', ${cityDatasets.title}, ${cityDatasets.id}::text, coalesce(${cityDatasets.synchronisedAt}, ${cityDatasets.createdAt})
        from ${cityDatasets} ${where(eq(cityDatasets.siteId, site.id), sql`${cityDatasets.failures} > 0`)})`,
    )
  if (decide(viewer, 'marketplace.configure').ok)
    found.push(
      sql`(select ${installations.id}, 'integration', to_jsonb(${installations.integration}), ${installations.integration}, ${installations.failingSince}
        from ${installations} ${where(eq(installations.siteId, site.id), sql`${installations.failingSince} is not null`)})`,
    )
  return found
}
