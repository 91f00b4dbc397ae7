import { and, eq, sql } from 'drizzle-orm'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { loadGroupsById } from '#app/features/accounts/groups.server.ts'
import { assertUsableList } from '#app/features/verifications/eligibility-lists.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget, type ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { isId, createId } from '#app/lib/uuid.ts'
import { NEW_SURVEY_ACCESS } from '#app/lib/vocabulary/surveys.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { hasBrokenSample, surveys } from '#app/server/db/schema/surveys.ts'
import { chooseFreeSlug, refuseDuplicate } from '#app/server/save-checks.ts'
import { recordSourceChanges } from '#app/server/translations.ts'
import { listSurveyTexts } from '../questionnaire/definition-texts.ts'
import { replaceKeywords, listKeywordFaults } from '../sms/keywords.server.ts'
import type { surveyShape } from '../surveys.api.schema.ts'
import { checkAgainstPublished } from '../questionnaire/check-definition.ts'
import { requireSurveyFor, type SurveyRow } from '../surveys.policy.server.ts'
import type { Definition } from '../surveys.schema.ts'
import { loadEveryVersion, loadVersion, readDefinition } from '../questionnaire/versions.server.ts'
import { keepDraftWithoutRevision, prepareFirstRevision, prepareRevision, storeRevision } from './survey-revisions.server.ts'

type SurveyInput = CreateInput<typeof surveyShape>
type SurveyUpdate = UpdateInput<typeof surveyShape>

const EMPTY_DEFINITION: Definition = { schema: 1, pages: [{ id: 'page1', questions: [] }] }

/**
 * Creates a draft survey in a project. Its times default to the project's.
 * @returns the new survey's id
 * @throws {AppError} `forbidden`, `not-found`, or `invalid` with `taken` or `dates-out-of-order`
 */
export async function createSurvey(ctx: Ctx, input: SurveyInput): Promise<string> {
  const id = createId()
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      const project = await requireProject(ctx, tx, input.project)
      requirePermission(ctx, 'projects.edit', toPermissionTarget(project))
      const times = {
        opensAt: input.opensAt === undefined ? project.opensAt : toDate(input.opensAt),
        closesAt: input.closesAt === undefined ? project.closesAt : toDate(input.closesAt),
      }
      assertDatesInOrder(times)
      if (input.groupId) await assertGroup(ctx, input.groupId)
      await assertUsableList(ctx, tx, input.verification, '/verification/list')
      const slug = await chooseFreeSlug(input.slug, input.titleTranslations, ctx.site.locale, 'survey', (wanted) =>
        isSlugTaken(ctx, tx, project.id, wanted),
      )
      const definition = input.definition ?? EMPTY_DEFINITION
      const revision = prepareFirstRevision(definition)
      await tx.insert(surveys).values({
        ...toSurveyColumns(input),
        ...times,
        siteId: ctx.site.id,
        id,
        projectId: project.id,
        slug,
        title: input.titleTranslations,
        ...buildSearchFields(input.titleTranslations, input.introTranslations),
        definition,
        draftRevisionId: revision.id,
        updatedAt: ctx.now(),
      })
      await storeRevision(ctx, tx, id, revision)
      if (input.smsKeywords) {
        const faults = await listKeywordFaults(
          ctx,
          tx,
          { id, access: input.access ?? NEW_SURVEY_ACCESS, publishedVersion: null },
          input.smsKeywords,
        )
        if (faults.length > 0) throw new AppError('invalid', { faults })
        await replaceKeywords(ctx, tx, id, input.smsKeywords)
      }
      await recordSurveyAudit(ctx, tx, { survey: { id }, project }, 'surveys.create')
    }),
  )
  return id
}

/**
 * Changes only the given properties. Texts, settings and times apply at once; the definition stays a draft until it is published.
 * @param lockVersion the version the change is based on
 * @throws {AppError} `stale` if somebody else has saved since; `forbidden`; `invalid`, with codes such as `question-type-fixed` if the
 * published version forbids a change
 */
export async function updateSurvey(ctx: Ctx, surveyId: string, input: SurveyUpdate, lockVersion: number): Promise<void> {
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      const placed = await requireSurveyFor(ctx, tx, 'projects.edit', surveyId)
      const { survey } = placed
      assertDatesInOrder({
        opensAt: input.opensAt === undefined ? survey.opensAt : toDate(input.opensAt),
        closesAt: input.closesAt === undefined ? survey.closesAt : toDate(input.closesAt),
      })
      const faults = await listForbiddenChanges(ctx, tx, survey, input)
      if (faults.length > 0) throw new AppError('invalid', { faults })
      const revision = input.definition && (await prepareRevision(ctx, tx, survey, input.definition))
      const changed = await tx
        .update(surveys)
        .set({
          ...toSurveyColumns(input),
          ...buildSearchFields(input.titleTranslations ?? survey.title, input.introTranslations ?? survey.intro),
          ...(revision && { draftRevisionId: revision.id }),
          // Nothing is left to approve.
          ...(survey.reviewRequestedAt &&
            (await saysWhatIsPublished(ctx, tx, survey, input)) && { reviewRequestedAt: null, reviewRequestedBy: null }),
          hasOpened: hasOpened(ctx, survey),
          ...(input.access !== undefined && input.access !== survey.access && { sampleBroken: hasBrokenSample }),
          updatedAt: ctx.now(),
          lockVersion: sql`${surveys.lockVersion} + 1`,
        })
        .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId), eq(surveys.lockVersion, lockVersion)))
        .returning({ id: surveys.id })
      if (changed.length === 0) throw new AppError('stale')
      const after = { ...survey, ...toSurveyColumns(input) }
      await recordSourceChanges(
        ctx,
        tx,
        surveyId,
        listSurveyTexts(survey, readDefinition(survey.definition)),
        listSurveyTexts(after, readDefinition(after.definition)),
      )
      if (revision) {
        await keepDraftWithoutRevision(ctx, tx, survey)
        await storeRevision(ctx, tx, surveyId, revision, input.revisionNote)
      }
      if (input.smsKeywords) await replaceKeywords(ctx, tx, surveyId, input.smsKeywords)
      await recordSurveyAudit(ctx, tx, placed, 'surveys.update', { changed: Object.keys(input).filter((name) => name !== 'revisionNote') })
    }),
  )
}

/** Whether the questions are again those that are published. */
async function saysWhatIsPublished(ctx: Ctx, tx: Tx, survey: SurveyRow, { definition }: SurveyUpdate): Promise<boolean> {
  if (!definition || survey.publishedVersion === null) return false
  return isJsonEqual(definition, await loadVersion(tx, ctx.site.id, survey.id, survey.publishedVersion))
}

/** Changes that existing answers, or a promise already made, rule out. */
async function listForbiddenChanges(ctx: Ctx, tx: Tx, survey: SurveyRow, input: SurveyUpdate): Promise<Fault[]> {
  const faults: Fault[] = []
  const answered = await hasResponses(ctx, tx, survey.id)
  if (input.anonymous !== undefined && input.anonymous !== survey.anonymous && (answered || hasOpened(ctx, survey))) {
    faults.push({ code: 'fixed-once-open', pointer: '/anonymous' })
  }
  if (input.groupId && input.groupId !== survey.groupId) await assertGroup(ctx, input.groupId)
  await assertUsableList(ctx, tx, input.verification, '/verification/list')
  if (survey.status !== 'draft') faults.push(...listAccessFaults({ ...survey, ...toSurveyColumns(input) }))
  if (input.smsKeywords) faults.push(...(await listKeywordFaults(ctx, tx, { ...survey, ...toSurveyColumns(input) }, input.smsKeywords)))
  if (input.definition) faults.push(...(await listDefinitionFaults(ctx, tx, survey.id, input.definition)))
  return faults
}

/** Whether anybody could have read the promise, even if the opening has been postponed since. */
const hasOpened = (ctx: Ctx, { publishedVersion, opensAt, hasOpened: before }: SurveyRow): boolean =>
  before || (publishedVersion !== null && (opensAt === null || opensAt <= ctx.now()))

/** What the access rule lacks to admit anyone. */
export const listAccessFaults = ({ access, groupId }: Pick<SurveyRow, 'access' | 'groupId'>): Fault[] =>
  access === 'group' && groupId === null ? [{ code: 'required', pointer: '/groupId' }] : []

/** The group must be one whose people the viewer may manage. */
async function assertGroup(ctx: Ctx, groupId: string): Promise<void> {
  const [group] = await loadGroupsById(ctx, [groupId])
  if (!group) throw new AppError('invalid', { faults: [{ code: 'not-found', pointer: '/groupId' }] })
}

/** A published question may be open in somebody's browser, answered or not. Pointers are like `/definition/pages/0/questions/2/type`. */
export async function listDefinitionFaults(ctx: Ctx, tx: Tx, surveyId: string, definition: Definition): Promise<Fault[]> {
  const { versions } = await loadEveryVersion(tx, ctx.site.id, surveyId)
  const faults = checkAgainstPublished(definition, [...versions.values()])
  return faults.map((fault) => ({ ...fault, pointer: `/definition${fault.pointer ?? ''}` }))
}

/** Deletes a survey without answers. @throws {AppError} `forbidden`; `conflict` if there are answers */
export async function deleteSurvey(ctx: Ctx, surveyId: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const placed = await requireSurveyFor(ctx, tx, 'projects.edit', surveyId)
    if (placed.survey.status !== 'draft') requirePermission(ctx, 'projects.publish', toPermissionTarget(placed.project))
    if (await hasResponses(ctx, tx, surveyId)) throw new AppError('conflict', { detail: { key: 'survey-answered' } })
    await tx.delete(surveys).where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId)))
    await recordSurveyAudit(ctx, tx, placed, 'surveys.delete', { title: placed.survey.title })
  })
}

export function recordSurveyAudit(
  ctx: Ctx,
  tx: Tx,
  { survey, project }: { survey: Pick<SurveyRow, 'id'>; project: ProjectRow },
  action: AuditAction,
  detail: Record<string, unknown> = {},
): Promise<void> {
  return recordAudit(ctx, tx, {
    action,
    subject: { type: 'surveys', id: survey.id },
    hubId: project.hubId,
    projectId: project.id,
    detail,
  })
}

export async function hasResponses(ctx: Ctx, tx: Tx, surveyId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: responses.id })
    .from(responses)
    .where(and(eq(responses.siteId, ctx.site.id), eq(responses.surveyId, surveyId)))
    .limit(1)
  return rows.length > 0
}

/** @throws {AppError} `unauthenticated`, `forbidden`, `not-found` */
export async function assertMayAddSurvey(ctx: Ctx, projectId: string): Promise<void> {
  if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (!isId(projectId)) throw new AppError('not-found')
  const project = await ctx.db.read((tx) => requireProject(ctx, tx, projectId))
  requirePermission(ctx, 'projects.edit', toPermissionTarget(project))
}

async function requireProject(ctx: Ctx, tx: Tx, projectId: string): Promise<ProjectRow> {
  const [project] = await tx
    .select()
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, projectId)))
  if (!project) throw new AppError('not-found')
  return project
}

async function isSlugTaken(ctx: Ctx, tx: Tx, projectId: string, slug: string): Promise<boolean> {
  const found = await tx
    .select({ id: surveys.id })
    .from(surveys)
    .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.projectId, projectId), eq(surveys.slug, slug)))
  return found.length > 0
}

function assertDatesInOrder({ opensAt, closesAt }: { opensAt: Date | null; closesAt: Date | null }): void {
  if (opensAt && closesAt && opensAt >= closesAt)
    throw new AppError('invalid', { faults: [{ code: 'dates-out-of-order', pointer: '/closesAt' }] })
}

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text))

/** Only the given properties; the others stay unchanged. */
function toSurveyColumns(input: Partial<SurveyUpdate>): Partial<typeof surveys.$inferInsert> {
  return {
    ...(input.slug !== undefined && { slug: input.slug }),
    ...(input.titleTranslations && { title: input.titleTranslations }),
    ...(input.introTranslations && { intro: input.introTranslations }),
    ...(input.thanksTranslations && { thanks: input.thanksTranslations }),
    ...(input.access && { access: input.access }),
    ...(input.groupId !== undefined && { groupId: input.groupId }),
    ...(input.verification !== undefined && { verification: input.verification }),
    ...(input.anonymous !== undefined && { anonymous: input.anonymous }),
    ...(input.changeable !== undefined && { changeable: input.changeable }),
    ...(input.variant && { variant: input.variant }),
    ...(input.resultsPublic !== undefined && { resultsPublic: input.resultsPublic }),
    ...(input.opensAt !== undefined && { opensAt: toDate(input.opensAt) }),
    ...(input.closesAt !== undefined && { closesAt: toDate(input.closesAt) }),
    ...(input.minutes !== undefined && { minutes: input.minutes }),
    ...(input.definition && { definition: input.definition }),
  }
}
