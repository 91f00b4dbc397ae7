import { createHash, createHmac } from 'node:crypto'
import { and, eq, type SQL } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { authorize, decide, type Place } from '#app/features/permissions/permissions.policy.server.ts'
import type { Action } from '#app/features/permissions/permissions.schema.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projectMembers, projects, surveyParticipations, surveys } from '#app/server/db/schema.ts'
import type { SurveyAccess } from './surveys.schema.ts'
import type { Refusal } from './surveys.views.ts'

export type SurveyRow = typeof surveys.$inferSelect
export type ProjectRow = typeof projects.$inferSelect

/** A survey where it lies, and whether the viewer is a member there. */
export interface PlacedSurvey {
  survey: SurveyRow
  project: ProjectRow
  isMember: boolean
}

export const placeOf = (project: ProjectRow, isMember = false): Place => ({
  hubId: project.hubId,
  projectId: project.id,
  everPublished: project.publishedAt !== null,
  isMember,
})

/** The survey that `where` finds, if the viewer may see its project and, while it is a draft, drafts. @throws `not-found` */
export async function seeSurvey(ctx: Ctx, tx: Tx, where: SQL | undefined): Promise<PlacedSurvey> {
  const [found] = await tx
    .select({ survey: surveys, project: projects })
    .from(surveys)
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
    .where(and(eq(surveys.siteId, ctx.site.id), where))
  if (!found) throw new AppError('not-found')
  const placed = { ...found, isMember: await isMemberOf(ctx, tx, found.project.id) }
  if (!maySee(ctx, placed)) throw new AppError('not-found')
  return placed
}

/** The same for somebody who administers it. @throws `not-found` where the viewer may not even see it, else `forbidden` */
export async function seeSurveyAs(ctx: Ctx, tx: Tx, action: Action, surveyId: string): Promise<PlacedSurvey> {
  const placed = await seeSurvey(ctx, tx, eq(surveys.id, surveyId))
  authorize(ctx.viewer, action, placeOf(placed.project, placed.isMember))
  return placed
}

export function maySee(ctx: Ctx, { survey, project, isMember }: PlacedSurvey): boolean {
  const place = placeOf(project, isMember)
  if (decide(ctx.viewer, 'projects.see-draft', place).ok) return true
  return survey.status !== 'draft' && maySeeProject(ctx, project, isMember)
}

export function maySeeProject(ctx: Ctx, project: ProjectRow, isMember: boolean): boolean {
  const place = placeOf(project, isMember)
  if (decide(ctx.viewer, 'projects.see-draft', place).ok) return true
  const published = project.status === 'published' || project.status === 'archived'
  if (!published || project.visibility === 'hidden') return false
  return decide(ctx.viewer, project.visibility === 'members' ? 'projects.see-members-only' : 'projects.see-published', place).ok
}

async function isMemberOf(ctx: Ctx, tx: Tx, projectId: string): Promise<boolean> {
  if (ctx.viewer.kind === 'visitor' || ctx.viewer.siteId !== ctx.site.id) return false
  const rows = await tx
    .select({ userId: projectMembers.userId })
    .from(projectMembers)
    .where(and(eq(projectMembers.siteId, ctx.site.id), eq(projectMembers.projectId, projectId), eq(projectMembers.userId, ctx.viewer.id)))
  return rows.length > 0
}

/** Why the viewer may not answer; null where they may. What they answered before is `hasAnswered`. */
export function refusalOf(ctx: Ctx, { survey, isMember }: PlacedSurvey): Exclude<Refusal, 'answered'> | null {
  const { viewer } = ctx
  if (!decide(viewer, 'surveys.answer').ok) return 'guest'
  const access = survey.access as SurveyAccess
  if (access === 'anyone' || access === 'anyone_once') return null
  if (viewer.kind === 'visitor') return 'sign-in'
  if (access === 'confirmed' && !viewer.confirmed) return 'confirm'
  return access === 'members' && !isMember ? 'members' : null
}

/**
 * What tells, without telling who, that a person or browser has answered a survey that each may answer once; undefined where they
 * may answer as often as they like.
 * @param browserToken the browser's own secret, kept in its cookie
 */
export function personHash(
  ctx: Ctx,
  survey: SurveyRow,
  browserToken: string | undefined,
  userId = ctx.viewer.kind === 'user' ? ctx.viewer.id : undefined,
): Buffer | undefined {
  const access = survey.access as SurveyAccess
  if (access === 'anyone') return undefined
  if (access === 'anyone_once') return browserToken ? createHash('sha256').update(`${survey.id}/${browserToken}`).digest() : undefined
  return userId ? createHmac('sha256', ctx.runtime.secret).update(`answered/${survey.id}/${userId}`).digest() : undefined
}

export async function hasAnswered(ctx: Ctx, tx: Tx, survey: SurveyRow, browserToken: string | undefined): Promise<boolean> {
  const hash = personHash(ctx, survey, browserToken)
  if (!hash) return false
  const rows = await tx
    .select({ surveyId: surveyParticipations.surveyId })
    .from(surveyParticipations)
    .where(
      and(
        eq(surveyParticipations.siteId, ctx.site.id),
        eq(surveyParticipations.surveyId, survey.id),
        eq(surveyParticipations.personHash, hash),
      ),
    )
  return rows.length > 0
}
