import { and, eq, type SQL, sql } from 'drizzle-orm'
import { scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'

/** The acts are written out, not parameters, so that every plan can use the partial index `audit_events_review_news`. */
const REVIEWED = [
  {
    thing: 'survey',
    table: surveys,
    subject: sql`${surveys.id}::text`,
    requests: sql.raw(`'surveys.request-review'`),
    returns: sql.raw(`'surveys.return'`),
    publications: sql.raw(`'surveys.publish'`),
    isWaiting: sql`${surveys.reviewRequestedAt} is not null`,
  },
  {
    thing: 'activity',
    table: activities,
    subject: sql`${projects.id} || '/activities/' || ${activities.id}`,
    requests: sql.raw(`'activities.request-review'`),
    returns: sql.raw(`'activities.return'`),
    publications: sql.raw(`'activities.publish', 'activities.publish-changes'`),
    isWaiting: sql`exists (select from ${revisionHeads} where ${revisionHeads.siteId} = ${activities.siteId}
      and ${revisionHeads.subject} = 'activity' and ${revisionHeads.scopeId} = ${activities.id} and ${revisionHeads.reviewRequestedAt} is not null)`,
  },
]

/**
 * For the bell: drafts of surveys and activities that wait for a review, for those who may publish them; and for the person who
 * asked, that one was published or returned. Columns: `id`, `kind`, `title` as JSON, `subject`, `at`.
 */
export function buildReviewQueries({ site }: Ctx, viewer: SignedInViewer, since: Date): SQL[] {
  const recent = and(eq(auditEvents.siteId, site.id), sql`${auditEvents.at} >= ${since}`, sql`${auditEvents.actorId} <> ${viewer.id}`)
  const ofProject = sql`join ${projects} on ${projects.siteId} = ${auditEvents.siteId} and ${projects.id} = ${auditEvents.projectId}`
  const isTold = and(
    recent,
    sql`${auditEvents.detail} ->> 'asker' = ${viewer.id}`,
    scopeWhere(viewer, 'projects.see-draft', { hub: projects.hubId, project: projects.id }),
  )
  return REVIEWED.flatMap(({ thing, table, subject, requests, returns, publications, isWaiting }) => {
    const news = (kind: string) => sql`${auditEvents.id}, ${`${thing}-${kind}`}::text, ${table.title}, ${subject}, ${auditEvents.at}
      from ${auditEvents} join ${table} on ${table.siteId} = ${auditEvents.siteId} and ${table.id} = ${auditEvents.subjectId} ${ofProject}`
    const isAct = (acts: SQL) => sql`${auditEvents.action} in (${acts})`
    return [
      // Only the latest request of each, for as long as it waits.
      sql`(select distinct on (${table.id}) ${news('review')}
        where ${and(recent, isAct(requests), isWaiting, scopeWhere(viewer, 'projects.create', { hub: projects.hubId }))}
        order by ${table.id}, ${auditEvents.at} desc)`,
      sql`(select ${news('published')} where ${and(isTold, isAct(publications))})`,
      sql`(select ${news('returned')} where ${and(isTold, isAct(returns))})`,
    ]
  })
}
