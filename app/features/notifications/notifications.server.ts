import { and, desc, eq, gte, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { getRealmDb } from '#app/features/accounts/account-realm.server.ts'
import { readFeatures } from '#app/features/feature-switches/feature-switches.server.ts'
import { getIntegrationName } from '#app/features/marketplace/integrations/registry.server.ts'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { buildReviewQueries } from '#app/features/reviews/review-news.server.ts'
import { buildTeamQueries } from '#app/features/teamwork/team-news.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { readNotifications } from '#app/server/db/schema/administration.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { activities, contributions, replies } from '#app/server/db/schema/contributions.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { campaigns } from '#app/server/db/schema/messages.ts'
import { moderationAppeals, moderationCases, moderationDecisions, isOpenCase, isPendingAppeal } from '#app/server/db/schema/moderation.ts'
import { cityDatasets } from '#app/server/db/schema/opencities.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveyExports } from '#app/server/db/schema/results.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { isOwnKind, type NotificationKind, type OwnNotification } from './notifications.schema.ts'
import { buildOwnQueries } from './own-notifications.server.ts'

const LISTED_FOR_MS = 30 * 86_400_000
/** How many notifications about their own contributions people see. */
const OWN_LISTED = 20
/** A campaign that is still unprepared this long after its scheduled time cannot be prepared at all. */
const STUCK_AFTER = sql.raw(`interval '10 minutes'`)

type AuditedNews =
  | 'projects.request-review'
  | 'projects.request-changes-review'
  | 'projects.return'
  | 'projects.publish'
  | 'projects.publish-changes'
  | 'heard-reports.request-review'
  | 'heard-reports.return'
  | 'heard-reports.publish'
  | 'memberships.create'
  | 'memberships.delete'

export interface Notification {
  id: string
  kind: NotificationKind
  title: string
  subject: string
  at: Date
  read: boolean
}

/** Newest first, with the number unread. @throws {AppError} `unauthenticated` */
export async function listNotifications(
  ctx: Ctx,
  query: { read?: boolean | undefined; own?: boolean | undefined; oldestFirst?: boolean; page: { limit: number; offset: number } },
): Promise<{ rows: Notification[]; total: number; meta: { unread: number } }> {
  if (ctx.viewer.kind !== 'user') throw new AppError('unauthenticated')
  const all = await loadNotifications(ctx, query.own)
  const asked = all.filter(({ read }) => query.read === undefined || read === query.read)
  if (query.oldestFirst) asked.reverse()
  const { offset, limit } = query.page
  return { rows: asked.slice(offset, offset + limit), total: asked.length, meta: { unread: all.filter(({ read }) => !read).length } }
}

export const loadNotificationsById = async (ctx: Ctx, ids: readonly string[]): Promise<Notification[]> =>
  (await loadNotifications(ctx)).filter(({ id }) => ids.includes(id))

/** News about the viewer's own contributions and reports, newest first. @throws {AppError} `unauthenticated` */
export async function listOwnNotifications(ctx: Ctx): Promise<{ rows: OwnNotification[]; unread: number }> {
  const { rows, meta } = await listNotifications(ctx, { own: true, page: { limit: OWN_LISTED, offset: 0 } })
  return {
    rows: rows.flatMap(({ kind, subject, at, ...row }) => (isOwnKind(kind) ? [{ ...row, kind, path: subject, at: at.toISOString() }] : [])),
    unread: meta.unread,
  }
}

/** Marks all that `listOwnNotifications` lists as read. @throws {AppError} `unauthenticated` */
export async function markOwnNotificationsRead(ctx: Ctx): Promise<void> {
  const { rows } = await listNotifications(ctx, { own: true, read: false, page: { limit: OWN_LISTED, offset: 0 } })
  for (const row of rows) await markNotification(ctx, row, true)
}

/** Marks it as read or unread for the viewer. */
export async function markNotification(ctx: Ctx, { id }: Notification, read: boolean): Promise<void> {
  const { viewer } = ctx
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  const own = { siteId: viewer.siteId, userId: viewer.id, notificationId: id }
  await getRealmDb(ctx, viewer.siteId).tx((tx) =>
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
 * All of the viewer's notifications, newest first: derived from recorded events and filtered by the roles they hold now. Guests from the
 * platform have the platform's.
 * @param own only those about what the viewer sent, or only the others
 */
async function loadNotifications(ctx: Ctx, own?: boolean): Promise<Notification[]> {
  const { viewer, site, language } = ctx
  if (viewer.kind !== 'user') return []
  if (viewer.siteId !== site.id) return own === true ? [] : loadPlatformNotifications(ctx, viewer)
  const since = new Date(ctx.now().getTime() - LISTED_FOR_MS)
  const hasTasks = viewer.roles.length > 0 && own !== true
  const texts = hasTasks && (await readFeatures(ctx)).marketplace_sms_integration.enabled
  const parts = [
    ...(hasTasks
      ? [
          ...buildEventQueries(ctx, viewer, since),
          ...buildCampaignQueries(ctx, viewer, since, texts),
          buildAppealQuery(ctx, viewer, since),
          buildCaseQuery(ctx, viewer, since),
          ...buildReviewQueries(ctx, viewer, since),
          ...buildTeamQueries(ctx, viewer, since),
        ]
      : []),
    ...(own === false ? [] : buildOwnQueries(ctx, viewer, since)),
  ]
  if (parts.length === 0) return []
  const { rows } = await ctx.db.read((tx) =>
    tx.execute<{ id: string; kind: NotificationKind; title: Translated | string; subject: string; at: string; read: boolean }>(sql`
      select news.*, coalesce(r.read_at >= news.at, false) as read
      from (${sql.join(parts, sql` union all `)}) as news
      left join read_notifications r on r.site_id = ${site.id} and r.user_id = ${viewer.id} and r.notification_id = news.id
      where news.at >= ${since} order by news.at desc, news.id limit 200`),
  )
  return rows.map(({ id, kind, title, subject, at, read }) => ({
    id,
    kind,
    title:
      typeof title !== 'string'
        ? getTranslation(title, ctx.contentLanguage, site.locale)
        : kind === 'integration'
          ? getIntegrationName(title, language)
          : title,
    subject,
    at: new Date(at),
    read,
  }))
}

/** To those who run the platform: sites that gave them support access. From the platform's own audit trail, wherever they read it. */
async function loadPlatformNotifications(ctx: Ctx, viewer: SignedInViewer): Promise<Notification[]> {
  if (!checkPermission(viewer, 'sites.manage').ok) return []
  const since = new Date(ctx.now().getTime() - LISTED_FOR_MS)
  const rows = await getRealmDb(ctx, viewer.siteId).read((tx) =>
    tx
      .select({
        id: auditEvents.id,
        site: auditEvents.subjectId,
        detail: auditEvents.detail,
        at: auditEvents.at,
        readAt: readNotifications.readAt,
      })
      .from(auditEvents)
      .leftJoin(
        readNotifications,
        and(
          eq(readNotifications.siteId, auditEvents.siteId),
          eq(readNotifications.userId, viewer.id),
          eq(readNotifications.notificationId, auditEvents.id),
        ),
      )
      .where(and(eq(auditEvents.siteId, viewer.siteId), eq(auditEvents.action, 'support.grant'), gte(auditEvents.at, since)))
      .orderBy(desc(auditEvents.at), desc(auditEvents.id))
      .limit(200),
  )
  return rows.map(({ id, site, detail, at, readAt }) => ({
    id,
    kind: 'support-granted',
    title: getTranslation((detail as { title?: Translated }).title ?? {}, ctx.contentLanguage, ctx.site.locale),
    subject: site ?? '',
    at,
    read: readAt !== null && readAt >= at,
  }))
}

/** An appeal waits for somebody who did not decide before in its case, wrote the text or appealed; shown until it is decided. */
function buildAppealQuery({ site }: Ctx, viewer: SignedInViewer, since: Date): SQL {
  const author = sql`case when ${moderationCases.replyId} is null then ${contributions.authorId} else ${replies.authorId} end`
  return sql`(select ${moderationAppeals.id}, 'appeal', to_jsonb(${contributions.title}), ${contributions.id}::text, ${moderationAppeals.createdAt}
    from ${moderationAppeals}
    join ${moderationCases} on ${moderationCases.siteId} = ${moderationAppeals.siteId} and ${moderationCases.id} = ${moderationAppeals.caseId}
    join ${contributions} on ${contributions.siteId} = ${moderationCases.siteId} and ${contributions.id} = ${moderationCases.contributionId}
    left join ${replies} on ${replies.siteId} = ${moderationCases.siteId} and ${replies.id} = ${moderationCases.replyId}
    join ${activities} on ${activities.siteId} = ${contributions.siteId} and ${activities.id} = ${contributions.activityId}
    join ${projects} on ${projects.siteId} = ${activities.siteId} and ${projects.id} = ${activities.projectId}
    ${buildWhere(
      eq(moderationAppeals.siteId, site.id),
      isPendingAppeal,
      sql`${moderationAppeals.createdAt} >= ${since}`,
      scopeWhere(viewer, 'moderation.appeals', { hub: projects.hubId, project: projects.id }),
      sql`${moderationAppeals.appellantId} is distinct from ${viewer.id} and ${author} is distinct from ${viewer.id}`,
      sql`not exists (select from ${moderationDecisions} where ${moderationDecisions.siteId} = ${moderationAppeals.siteId}
        and ${moderationDecisions.caseId} = ${moderationAppeals.caseId} and ${moderationDecisions.decidedBy} = ${viewer.id}
        and ${moderationDecisions.decision} <> 'hold')`,
    )})`
}

/** Cases that a colleague assigned to the viewer, until they are decided or reassigned. */
const buildCaseQuery = ({ site }: Ctx, viewer: SignedInViewer, since: Date): SQL =>
  sql`(select distinct on (${moderationCases.id}) ${auditEvents.id}, 'case', to_jsonb(${contributions.title}), ${moderationCases.id}::text, ${auditEvents.at}
    from ${moderationCases}
    join ${contributions} on ${contributions.siteId} = ${moderationCases.siteId} and ${contributions.id} = ${moderationCases.contributionId}
    join ${activities} on ${activities.siteId} = ${contributions.siteId} and ${activities.id} = ${contributions.activityId}
    join ${projects} on ${projects.siteId} = ${activities.siteId} and ${projects.id} = ${activities.projectId}
    join ${auditEvents} on ${auditEvents.siteId} = ${moderationCases.siteId} and ${auditEvents.subjectId} = ${contributions.id}
      and ${auditEvents.action} = 'contributions.assign-case' and ${auditEvents.detail} ->> 'case' = ${moderationCases.id}::text
      and ${auditEvents.detail} ->> 'assignee' = ${viewer.id}
    ${buildWhere(
      eq(moderationCases.siteId, site.id),
      isOpenCase,
      eq(moderationCases.assigneeId, viewer.id),
      sql`${auditEvents.at} >= ${since} and ${auditEvents.actorId} <> ${viewer.id}`,
      scopeWhere(viewer, 'contributions.moderate', { hub: projects.hubId, project: projects.id }),
    )}
    order by ${moderationCases.id}, ${auditEvents.at} desc)`

const buildWhere = (...conditions: (SQL | undefined)[]) => sql`where ${and(...conditions) ?? sql`true`}`

/** Written out, not as a parameter, so that every plan can use the partial index `audit_events_news`. */
const isAction = (...actions: AuditedNews[]) =>
  sql`${auditEvents.action} in (${sql.raw(actions.map((action) => `'${action}'`).join(', '))})`

/** One query per kind of event. Columns: `id`, `kind`, `title` as JSON, `subject`, `at`. */
function buildEventQueries({ site, now }: Ctx, viewer: SignedInViewer, since: Date): SQL[] {
  const recent = and(eq(auditEvents.siteId, site.id), sql`${auditEvents.at} >= ${since}`, sql`${auditEvents.actorId} <> ${viewer.id}`)
  const ofProject = sql`join ${projects} on ${projects.siteId} = ${auditEvents.siteId} and ${projects.id} = ${auditEvents.projectId}`
  const place = { hub: projects.hubId, project: projects.id }
  const newsOfProject = (kind: NotificationKind) =>
    sql`${auditEvents.id}, ${kind}::text, ${projects.title}, ${projects.id}::text, ${auditEvents.at} from ${auditEvents} ${ofProject}`
  const found = [
    // Shown to those who may publish for as long as the review is open; only the latest request per project.
    sql`(select distinct on (${projects.id}) ${auditEvents.id} as id, 'review' as kind, ${projects.title} as title,
          ${projects.id}::text as subject, ${auditEvents.at} as at from ${auditEvents} ${ofProject}
        ${buildWhere(recent, isAction('projects.request-review'), eq(projects.status, 'in_review'), scopeWhere(viewer, 'projects.create', { hub: projects.hubId }))}
        order by ${projects.id}, ${auditEvents.at} desc)`,
    // The same for changes of a published project.
    sql`(select distinct on (${projects.id}) ${auditEvents.id} as id, 'review' as kind, ${projects.title} as title,
          ${projects.id}::text as subject, ${auditEvents.at} as at from ${auditEvents} ${ofProject}
        join ${revisionHeads} on ${revisionHeads.siteId} = ${projects.siteId} and ${revisionHeads.subject} = 'project'
          and ${revisionHeads.scopeId} = ${projects.id} and ${revisionHeads.reviewRequestedAt} is not null
        ${buildWhere(recent, isAction('projects.request-changes-review'), scopeWhere(viewer, 'projects.create', { hub: projects.hubId }))}
        order by ${projects.id}, ${auditEvents.at} desc)`,
    // The viewer asked for this review and somebody else published.
    sql`(select ${newsOfProject('published')}
        ${buildWhere(
          recent,
          isAction('projects.publish', 'projects.publish-changes'),
          scopeWhere(viewer, 'projects.see-draft', place),
          sql`exists (select 1 from audit_events asked where asked.site_id = ${site.id} and asked.project_id = ${projects.id}
            and asked.action in ('projects.request-review', 'projects.request-changes-review') and asked.actor_id = ${viewer.id} and asked.at < ${auditEvents.at})`,
        )})`,
    // The viewer asked for this review and somebody returned it.
    sql`(select ${newsOfProject('review-returned')}
        ${buildWhere(
          recent,
          isAction('projects.return'),
          sql`${auditEvents.detail} ->> 'asker' = ${viewer.id}`,
          scopeWhere(viewer, 'projects.see-draft', place),
        )})`,
    // The report of a project, likewise.
    sql`(select distinct on (${projects.id}) ${newsOfProject('report-review')}
        join ${revisionHeads} on ${revisionHeads.siteId} = ${projects.siteId} and ${revisionHeads.subject} = 'heard-report'
          and ${revisionHeads.scopeId} = ${projects.id} and ${revisionHeads.reviewRequestedAt} is not null
        ${buildWhere(recent, isAction('heard-reports.request-review'), scopeWhere(viewer, 'projects.create', { hub: projects.hubId }))}
        order by ${projects.id}, ${auditEvents.at} desc)`,
    sql`(select ${newsOfProject('report-published')}
        ${buildWhere(
          recent,
          isAction('heard-reports.publish'),
          scopeWhere(viewer, 'projects.see-draft', place),
          sql`exists (select 1 from audit_events asked where asked.site_id = ${site.id} and asked.subject_id = ${projects.id}
            and asked.action = 'heard-reports.request-review' and asked.actor_id = ${viewer.id} and asked.at < ${auditEvents.at})`,
        )})`,
    sql`(select ${newsOfProject('report-returned')}
        ${buildWhere(
          recent,
          isAction('heard-reports.return'),
          sql`${auditEvents.detail} ->> 'asker' = ${viewer.id}`,
          scopeWhere(viewer, 'projects.see-draft', place),
        )})`,
    sql`(select ${surveyExports.id}, case ${surveyExports.state} when 'done' then 'export' else 'export-failed' end, ${surveys.title},
          ${surveys.id}::text, ${surveyExports.finishedAt} from ${surveyExports}
        join ${surveys} on ${surveys.siteId} = ${surveyExports.siteId} and ${surveys.id} = ${surveyExports.surveyId}
        join ${projects} on ${projects.siteId} = ${surveys.siteId} and ${projects.id} = ${surveys.projectId}
        ${buildWhere(
          eq(surveyExports.siteId, site.id),
          eq(surveyExports.createdBy, viewer.id),
          sql`${surveyExports.state} in ('done', 'failed')`,
          sql`${surveyExports.finishedAt} is not null`,
          sql`${surveyExports.expiresAt} > ${now()}`,
          scopeWhere(viewer, 'responses.see', place),
        )})`,
  ]
  if (checkPermission(viewer, 'site.edit').ok)
    found.push(
      sql`(select ${auditEvents.id}, case ${auditEvents.action} when 'memberships.create' then 'site-admin-added' else 'site-admin-removed' end,
          to_jsonb(${users.login}), ${auditEvents.subjectId}::text, ${auditEvents.at} from ${auditEvents}
        join ${users} on ${users.siteId} = ${auditEvents.siteId} and ${users.id} = ${auditEvents.subjectId}
        ${buildWhere(
          recent,
          isAction('memberships.create', 'memberships.delete'),
          sql`${auditEvents.detail} ->> 'role' = 'site_admin'`,
          sql`${auditEvents.subjectId} <> ${viewer.id}`,
        )})`,
    )
  if (checkPermission(viewer, 'site.edit').ok)
    // Dated by the last good copy, so another failed retry does not notify again.
    found.push(
      sql`(select ${cityDatasets.id}, 'dataset', ${cityDatasets.title}, ${cityDatasets.id}::text, coalesce(${cityDatasets.synchronisedAt}, ${cityDatasets.createdAt})
        from ${cityDatasets} ${buildWhere(eq(cityDatasets.siteId, site.id), sql`${cityDatasets.failures} > 0`)})`,
    )
  if (checkPermission(viewer, 'marketplace.configure').ok)
    found.push(
      sql`(select ${installations.id}, 'integration', to_jsonb(${installations.integration}), ${installations.integration}, ${installations.failingSince}
        from ${installations} ${buildWhere(eq(installations.siteId, site.id), sql`${installations.failingSince} is not null`)})`,
    )
  return found
}

/**
 * Likewise for campaigns that were released for sending but do not go out: shown to the person who released them and to those who run the
 * site.
 */
function buildCampaignQueries({ site, now }: Ctx, viewer: SignedInViewer, since: Date, texts: boolean): SQL[] {
  const kindByChannel = (what: string) => sql`case ${campaigns.channel} when 'sms' then ${`text-${what}`} else ${`letter-${what}`} end`
  const ofProject = sql`left join ${projects} on ${projects.siteId} = ${campaigns.siteId} and ${projects.id} = ${campaigns.projectId}`
  const inScope = or(
    scopeWhere(viewer, 'campaigns.send', { hub: campaigns.hubId, project: campaigns.projectId }) ?? sql`true`,
    scopeWhere(viewer, 'campaigns.send', { hub: projects.hubId }) ?? sql`true`,
  )
  const theirs = sql`${viewer.id} = (select sent.actor_id from audit_events sent where sent.site_id = ${site.id} and sent.subject_id = ${campaigns.id}
    and sent.action in ('sms-campaigns.send', 'newsletters.send') order by sent.sequence desc limit 1)`
  const told = and(
    eq(campaigns.siteId, site.id),
    texts ? undefined : eq(campaigns.channel, 'email'),
    checkPermission(viewer, 'site.edit').ok ? undefined : and(inScope, theirs),
  )
  const due = sql`greatest(${campaigns.sendAt}, ${campaigns.updatedAt}) + ${STUCK_AFTER}`
  return [
    // Back to draft because its subject is gone, or held because the month's text limit is too low.
    sql`(select distinct on (${campaigns.id}) ${auditEvents.id},
          case ${campaigns.status} when 'draft' then ${kindByChannel('returned')} else 'text-over-limit' end,
          to_jsonb(${campaigns.name}), ${campaigns.id}::text, ${auditEvents.at}
        from ${auditEvents} join ${campaigns} on ${campaigns.siteId} = ${auditEvents.siteId} and ${campaigns.id} = ${auditEvents.subjectId} ${ofProject}
        ${buildWhere(
          eq(auditEvents.siteId, site.id),
          sql`${auditEvents.at} >= ${since}`,
          told,
          or(
            and(inArray(auditEvents.action, ['sms-campaigns.return', 'newsletters.return']), eq(campaigns.status, 'draft')),
            and(
              eq(auditEvents.action, 'sms-campaigns.pause'),
              sql`${auditEvents.detail} ->> 'reason' = 'sms-limit-passed'`,
              eq(campaigns.status, 'paused'),
              eq(campaigns.overLimit, true),
            ),
          ),
        )}
        order by ${campaigns.id}, ${auditEvents.at} desc)`,
    sql`(select ${campaigns.id}, ${kindByChannel('stuck')}, to_jsonb(${campaigns.name}), ${campaigns.id}::text, ${due} from ${campaigns} ${ofProject}
        ${buildWhere(told, eq(campaigns.status, 'preparing'), eq(campaigns.prepared, 0), isNull(campaigns.preparedUntil), sql`${due} <= ${now()}`)})`,
  ]
}
