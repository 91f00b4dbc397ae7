import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { recordPersonalDownload } from '#app/features/audit/audit.server.ts'
import { requirePermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { projectMembers, projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'
import { OWN_DATA } from './own-data.registry.server.ts'
import { requirePeopleManager, loadPeopleById } from '#app/features/accounts/people.list.server.ts'

const MAX_ACTIVITIES = 50

export interface PersonActivity {
  kind: 'answered' | 'follows' | 'member'
  project: { id: string; title: string }
  survey: string | null
  at: Date
}

/** What the person took part in, newest first, limited to the viewer's hubs. @throws {AppError} `not-found` */
export async function readActivity(ctx: Ctx, userId: string): Promise<PersonActivity[]> {
  const viewer = requirePeopleManager(ctx.viewer)
  const [person] = await loadPeopleById(ctx, [userId])
  if (!person) throw new AppError('not-found')
  const localise = (text: typeof projects.$inferSelect.title) => getTranslation(text, ctx.language, ctx.site.locale)
  const inScope = scopeWhere(viewer, 'participants.manage', { hub: projects.hubId })
  const project = { id: projects.id, title: projects.title }
  return ctx.db.read(async (tx) => {
    const answered = await tx
      .select({ project, survey: surveys.title, at: responses.submittedAt })
      .from(responses)
      .innerJoin(surveys, and(eq(surveys.siteId, responses.siteId), eq(surveys.id, responses.surveyId)))
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(and(eq(responses.siteId, ctx.site.id), eq(responses.userId, userId), isNull(responses.withdrawnAt), inScope))
      .orderBy(desc(responses.submittedAt))
      .limit(MAX_ACTIVITIES)
    const loadProjectActivity = async (table: typeof projectFollows | typeof projectMembers) =>
      tx
        .select({ project, survey: sql<null>`null`, at: table.createdAt })
        .from(table)
        .innerJoin(projects, and(eq(projects.siteId, table.siteId), eq(projects.id, table.projectId)))
        .where(and(eq(table.siteId, ctx.site.id), eq(table.userId, userId), inScope))
        .orderBy(desc(table.createdAt))
        .limit(MAX_ACTIVITIES)
    const all = [
      ...answered.map((row) => ({ ...row, kind: 'answered' as const })),
      ...(await loadProjectActivity(projectFollows)).map((row) => ({ ...row, kind: 'follows' as const })),
      ...(await loadProjectActivity(projectMembers)).map((row) => ({ ...row, kind: 'member' as const })),
    ]
    return all
      .toSorted((a, b) => b.at.getTime() - a.at.getTime())
      .slice(0, MAX_ACTIVITIES)
      .map(({ kind, at, ...row }) => ({
        kind,
        at,
        project: { id: row.project.id, title: localise(row.project.title) },
        survey: row.survey && localise(row.survey),
      }))
  })
}

/**
 * Everything the site holds about one person, for subject access requests in writing. The export is audited.
 * @throws {AppError} `forbidden`, `fresh-sign-in-required`, `not-found`
 */
export async function exportPerson(ctx: Ctx, userId: string): Promise<Record<string, unknown>> {
  requirePermission(ctx, 'participants.export-one')
  const [person] = await loadPeopleById(ctx, [userId])
  if (!person) throw new AppError('not-found')
  return ctx.db.tx(async (tx) => {
    const who = { siteId: ctx.site.id, userId, email: person.email }
    const sections: [string, unknown][] = []
    for (const section of OWN_DATA) sections.push([section.name, await section.read(ctx, tx, who)])
    await recordPersonalDownload(ctx, tx, { action: 'users.export', subject: { type: 'users', id: userId } })
    return { site: ctx.site.name, readAt: ctx.now(), ...Object.fromEntries(sections) }
  })
}
