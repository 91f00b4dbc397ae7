import { and, desc, eq } from 'drizzle-orm'
import { decide } from '#app/features/permissions/permissions.policy.server.ts'
import { placeOf, type ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { contentChanged, type Tx } from '#app/server/db/client.ts'
import { surveys, surveyVersions } from '#app/server/db/schema.ts'
import { byTextFaults } from '../sms/by-text.server.ts'
import { isOpenToTexts } from '../sms/keywords.server.ts'
import { checkDefinition, checkTexts } from '../questionnaire/check-definition.ts'
import { accessFaults, definitionFaults, noteSurvey } from './editing.server.ts'
import { type PlacedSurvey, seeSurveyAs, type SurveyRow } from '../surveys.policy.server.ts'
import { readDefinition } from '../questionnaire/versions.server.ts'

/** A survey may be published by whoever publishes its project; before anybody sees the project, by whoever edits it. */
export function mayPublishSurvey(viewer: Viewer, project: ProjectRow): boolean {
  const place = placeOf(project)
  const publish = decide(viewer, 'projects.publish', place)
  if (publish.ok && !publish.only) return true
  return project.publishedAt === null && decide(viewer, 'projects.edit', place).ok
}

/**
 * Publishes the draft as a new version, which never changes again. Responses from now on are given on it.
 * @returns its number
 * @throws {AppError} `stale`; `forbidden`; `already-published` where the draft is what is published; `invalid` naming everything that
 * keeps it from being published
 */
export async function publishSurvey(
  ctx: Ctx,
  surveyId: string,
  input: { waiveTranslations?: boolean | undefined; onLockVersion?: number | undefined } = {},
): Promise<number> {
  return ctx.db.tx(async (tx) => {
    const placed = await seeForPublishing(ctx, tx, surveyId)
    const survey = await locked(ctx, tx, placed.survey)
    if (input.onLockVersion !== undefined && input.onLockVersion !== survey.lockVersion) throw new AppError('stale')
    const definition = readDefinition(survey.definition)
    const [newest] = await tx
      .select()
      .from(surveyVersions)
      .where(and(eq(surveyVersions.siteId, ctx.site.id), eq(surveyVersions.surveyId, surveyId)))
      .orderBy(desc(surveyVersions.number))
      .limit(1)
    if (newest && sameJson(newest.definition, survey.definition)) throw new AppError('already-published')
    const faults = (await publishingFaults(ctx, tx, survey)).filter(
      (fault) => !input.waiveTranslations || fault.code !== 'translation-missing',
    )
    if (faults.length > 0) throw new AppError('invalid', { faults })
    const number = (newest?.number ?? 0) + 1
    const now = ctx.now()
    await tx.insert(surveyVersions).values({
      siteId: ctx.site.id,
      surveyId,
      number,
      definition,
      publishedBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
      publishedAt: now,
    })
    await tx
      .update(surveys)
      .set({ publishedVersion: number, ...(survey.status === 'draft' && { status: 'published' }), updatedAt: now })
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId)))
    await noteSurvey(ctx, tx, placed, 'surveys.publish', { version: number })
    await contentChanged(tx, ctx.site.id)
    return number
  })
}

/** Everything that keeps the draft from being published, with pointers into the survey. */
async function publishingFaults(ctx: Ctx, tx: Tx, survey: SurveyRow): Promise<Fault[]> {
  const { languages } = ctx.site
  const definition = readDefinition(survey.definition)
  return [
    ...checkTexts(survey, languages),
    ...accessFaults(survey),
    ...[...checkDefinition(definition, languages), ...((await isOpenToTexts(ctx, tx, survey.id)) ? byTextFaults(definition) : [])].map(
      (fault) => ({ ...fault, pointer: `/definition${fault.pointer ?? ''}` }),
    ),
    ...(await definitionFaults(ctx, tx, survey.id, definition)),
  ]
}

/** @throws {AppError} `forbidden`; `not-published` */
export function archiveSurvey(ctx: Ctx, surveyId: string): Promise<void> {
  return move(ctx, surveyId, 'published', 'archived')
}

/** Brings an archived survey back as it was. @throws {AppError} `forbidden`; `conflict` */
export function unarchiveSurvey(ctx: Ctx, surveyId: string): Promise<void> {
  return move(ctx, surveyId, 'archived', 'published')
}

function move(ctx: Ctx, surveyId: string, from: 'published' | 'archived', to: 'published' | 'archived'): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const placed = await seeForPublishing(ctx, tx, surveyId)
    const moved = await tx
      .update(surveys)
      .set({ status: to, updatedAt: ctx.now() })
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId), eq(surveys.status, from)))
      .returning({ id: surveys.id })
    if (moved.length === 0) throw new AppError(from === 'published' ? 'not-published' : 'conflict')
    await noteSurvey(ctx, tx, placed, to === 'archived' ? 'surveys.archive' : 'surveys.unarchive')
    await contentChanged(tx, ctx.site.id)
  })
}

async function seeForPublishing(ctx: Ctx, tx: Tx, surveyId: string): Promise<PlacedSurvey> {
  const placed = await seeSurveyAs(ctx, tx, 'projects.edit', surveyId)
  if (!mayPublishSurvey(ctx.viewer, placed.project)) throw new AppError('forbidden')
  return placed
}

/** The row as it is now, held until the transaction ends: two who publish at once make two versions, not one twice. */
async function locked(ctx: Ctx, tx: Tx, { id }: SurveyRow): Promise<SurveyRow> {
  const [row] = await tx
    .select()
    .from(surveys)
    .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

/** Both come from jsonb columns, whose keys PostgreSQL keeps in one order. */
const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
