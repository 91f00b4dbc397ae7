import { and, desc, eq } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { type ProjectPlace, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { TEXT_GAP_CODES } from '#app/lib/translated-texts.ts'
import { listTextGaps, toGapFaults } from '#app/server/translations.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import { listByTextFaults } from '../sms/by-text.server.ts'
import { isOpenToTexts } from '../sms/keywords.server.ts'
import { checkDefinition, checkTexts } from '../questionnaire/check-definition.ts'
import { listAccessFaults, listDefinitionFaults, recordSurveyAudit } from './editing.server.ts'
import { listProfileLinkFaults } from './profile-link-faults.server.ts'
import { markPublishedRevision } from './survey-revisions.server.ts'
import { type PlacedSurvey, requireSurveyFor, type SurveyRow } from '../surveys.policy.server.ts'
import { listSurveyTexts } from '../questionnaire/definition-texts.ts'
import { readDefinition } from '../questionnaire/versions.server.ts'

/** A survey may be published by people who may publish its project; before the project is public, by people who may edit it. */
export function canPublishSurvey(viewer: Viewer, project: ProjectPlace): boolean {
  const place = toPermissionTarget(project)
  const publish = checkPermission(viewer, 'projects.publish', place)
  if (publish.ok && !publish.only) return true
  return project.publishedAt === null && checkPermission(viewer, 'projects.edit', place).ok
}

/**
 * Publishes the draft as a new, immutable version. Responses from now on use it.
 * @returns its number
 * @throws {AppError} `stale`; `forbidden`; `already-published` if the draft is identical to the published version; `invalid` listing
 * everything that prevents publishing
 */
export async function publishSurvey(ctx: Ctx, surveyId: string, input: PublicationInput = {}): Promise<number> {
  return ctx.db.tx(async (tx) => {
    const placed = await requirePublishableSurvey(ctx, tx, surveyId)
    const { survey, newest } = await lockPublishableDraft(ctx, tx, placed.survey, input)
    const definition = readDefinition(survey.definition)
    const number = newest + 1
    const now = ctx.now()
    await tx.insert(surveyVersions).values({
      siteId: ctx.site.id,
      surveyId,
      number,
      definition,
      publishedBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
      publishedAt: now,
    })
    const draftRevisionId = await markPublishedRevision(ctx, tx, survey, number)
    await tx
      .update(surveys)
      .set({
        publishedVersion: number,
        draftRevisionId,
        reviewRequestedAt: null,
        reviewRequestedBy: null,
        ...(survey.status === 'draft' && { status: 'published' }),
        updatedAt: now,
      })
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId)))
    const asker = survey.reviewRequestedAt && survey.reviewRequestedBy
    await recordSurveyAudit(ctx, tx, placed, 'surveys.publish', { version: number, ...(asker && { asker }) })
    return number
  })
}

interface PublicationInput {
  waiveTranslations?: boolean | undefined
  waived?: readonly string[] | undefined
  onLockVersion?: number | undefined
}

/**
 * Locks a survey whose draft can be published as it is.
 * @returns with the number of the newest version, 0 if there is none
 * @throws {AppError} `stale`, `already-published`, or `invalid` listing everything that prevents publishing
 */
export async function lockPublishableDraft(
  ctx: Ctx,
  tx: Tx,
  found: SurveyRow,
  { waiveTranslations, waived, onLockVersion }: PublicationInput,
): Promise<{ survey: SurveyRow; newest: number }> {
  const survey = await lockSurveyRow(ctx, tx, found)
  if (onLockVersion !== undefined && onLockVersion !== survey.lockVersion) throw new AppError('stale')
  const [newest] = await tx
    .select()
    .from(surveyVersions)
    .where(and(eq(surveyVersions.siteId, ctx.site.id), eq(surveyVersions.surveyId, survey.id)))
    .orderBy(desc(surveyVersions.number))
    .limit(1)
  if (newest && isSameJson(newest.definition, survey.definition)) throw new AppError('already-published')
  const faults = (await listPublishingFaults(ctx, tx, survey)).filter(
    ({ code, values }) => !TEXT_GAP_CODES.has(code) || !(waiveTranslations || waived?.includes(String(values?.['name']))),
  )
  if (faults.length > 0) throw new AppError('invalid', { faults })
  return { survey, newest: newest?.number ?? 0 }
}

/** Everything that prevents publishing the draft, with pointers into the survey. */
async function listPublishingFaults(ctx: Ctx, tx: Tx, survey: SurveyRow): Promise<Fault[]> {
  const { languages } = ctx.site
  const definition = readDefinition(survey.definition)
  const faults: Fault[] = [
    ...checkTexts(survey, languages),
    ...listAccessFaults(survey),
    ...[...checkDefinition(definition, languages), ...((await isOpenToTexts(ctx, tx, survey.id)) ? listByTextFaults(definition) : [])].map(
      (fault) => ({ ...fault, pointer: `/definition${fault.pointer ?? ''}` }),
    ),
    ...(await listDefinitionFaults(ctx, tx, survey.id, definition)),
    ...(await listProfileLinkFaults(ctx, tx, survey, definition)),
  ]
  const gaps = await listTextGaps(ctx, tx, survey.id, listSurveyTexts(survey, definition))
  const named = new Map(toGapFaults(gaps).map((fault) => [fault.pointer, fault]))
  const listed = faults.map((fault) => (TEXT_GAP_CODES.has(fault.code) ? (named.get(fault.pointer) ?? fault) : fault))
  return [...listed, ...[...named.values()].filter((fault) => !listed.includes(fault))]
}

/** @throws {AppError} `forbidden`; `not-published` */
export function archiveSurvey(ctx: Ctx, surveyId: string): Promise<void> {
  return changeStatus(ctx, surveyId, 'published', 'archived')
}

/** Restores an archived survey. @throws {AppError} `forbidden`; `conflict` */
export function unarchiveSurvey(ctx: Ctx, surveyId: string): Promise<void> {
  return changeStatus(ctx, surveyId, 'archived', 'published')
}

function changeStatus(ctx: Ctx, surveyId: string, from: 'published' | 'archived', to: 'published' | 'archived'): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const placed = await requirePublishableSurvey(ctx, tx, surveyId)
    const moved = await tx
      .update(surveys)
      .set({ status: to, updatedAt: ctx.now() })
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId), eq(surveys.status, from)))
      .returning({ id: surveys.id })
    if (moved.length === 0) throw new AppError(from === 'published' ? 'not-published' : 'conflict')
    await recordSurveyAudit(ctx, tx, placed, to === 'archived' ? 'surveys.archive' : 'surveys.unarchive')
  })
}

async function requirePublishableSurvey(ctx: Ctx, tx: Tx, surveyId: string): Promise<PlacedSurvey> {
  const placed = await requireSurveyFor(ctx, tx, 'projects.edit', surveyId)
  if (!canPublishSurvey(ctx.viewer, placed.project)) throw new AppError('forbidden')
  return placed
}

/** The current row, locked until the transaction ends: two people publishing at once create two versions, not one twice. */
async function lockSurveyRow(ctx: Ctx, tx: Tx, { id }: SurveyRow): Promise<SurveyRow> {
  const [row] = await tx
    .select()
    .from(surveys)
    .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

/** Both come from jsonb columns, whose keys PostgreSQL keeps in a fixed order. */
export const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
