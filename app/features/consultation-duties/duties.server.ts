import { and, asc, count, eq, inArray } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { countTextsByProject } from '#app/features/heard/written-texts.server.ts'
import { requirePermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { loadSiteJargon } from '#app/features/plain-words/jargon-lists.server.ts'
import { projectColumns, type ProjectRow, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { listSurveyPassages } from '#app/features/surveys/surveys.plain.server.ts'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { checkPlain } from '#app/lib/plain-words/check-plain.ts'
import { listFieldPassages, PLAIN_CODES, type PlainCode } from '#app/lib/plain-words/plain-passage.ts'
import type { NamedHoliday } from '#app/lib/public-holidays.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { consultationDuties, dutyWaivers } from '#app/server/db/schema/duties.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { type DutyRow, isAsked, loadDutyFactsOf, loadDutySurveys, type SurveyForDuties } from '#app/features/duties/check-duties.server.ts'
import type { consultationDutyShape } from './consultation-duties.api.schema.ts'
import { checkDuties, type DutyFacts } from '#app/features/duties/duties.schema.ts'

/** The duties of one project. */
export interface ProjectDuties {
  /** The project's. */
  id: string
  project: ProjectRow
  row: DutyRow
  facts: DutyFacts
  checks: ReturnType<typeof checkDuties>
  holidays: NamedHoliday[]
  questions: { survey: string; question: string; title: string }[]
  plainFindings: { code: PlainCode; count: number }[]
  waivers: Pick<typeof dutyWaivers.$inferSelect, 'act' | 'missing' | 'reason' | 'createdAt'>[]
}

const administeredWhere = ({ viewer, site }: Ctx) =>
  and(eq(projects.siteId, site.id), scopeWhere(viewer, 'projects.edit', { hub: projects.hubId, project: projects.id }))

/** None on a site that keeps no duties. */
export function loadDuties(ctx: Ctx, ids: readonly string[]): Promise<ProjectDuties[]> {
  if (ctx.site.duties === 'none') return Promise.resolve([])
  return ctx.db.read(async (tx) => {
    const rows = await tx
      .select(projectColumns)
      .from(projects)
      .where(and(administeredWhere(ctx), inArray(projects.id, [...ids])))
    return describeAll(ctx, tx, rows)
  })
}

export function listDuties(ctx: Ctx, { filter, page }: ListQuery<typeof consultationDutyShape>): Promise<ListResult<ProjectDuties>> {
  if (ctx.site.duties === 'none') return Promise.resolve({ rows: [], total: 0 })
  return ctx.db.read(async (tx) => {
    const where = and(administeredWhere(ctx), filter.project ? eq(projects.id, filter.project) : undefined)
    const [counted] = await tx.select({ total: count() }).from(projects).where(where)
    const rows = await tx
      .select(projectColumns)
      .from(projects)
      .where(where)
      .orderBy(asc(projects.createdAt), asc(projects.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: await describeAll(ctx, tx, rows), total: counted?.total ?? 0 }
  })
}

/** However many projects there are, the number of statements is the same. */
async function describeAll(ctx: Ctx, tx: Tx, rows: readonly ProjectRow[]): Promise<ProjectDuties[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const jargon = await loadSiteJargon(ctx, tx)
  const known = await loadDutyFactsOf(ctx, tx, rows, await countTextsByProject(ctx, tx, ids))
  const waived = await tx
    .select({
      projectId: dutyWaivers.projectId,
      act: dutyWaivers.act,
      missing: dutyWaivers.missing,
      reason: dutyWaivers.reason,
      createdAt: dutyWaivers.createdAt,
    })
    .from(dutyWaivers)
    .where(and(eq(dutyWaivers.siteId, ctx.site.id), inArray(dutyWaivers.projectId, ids)))
    .orderBy(asc(dutyWaivers.createdAt), asc(dutyWaivers.id))
  return rows.flatMap((project): ProjectDuties[] => {
    const found = known.get(project.id)
    if (!found) return []
    const { row, facts, open, asked } = found
    return [
      {
        id: project.id,
        project,
        row,
        facts,
        checks: checkDuties(ctx.site.duties, facts, ctx.site.dutyDays),
        holidays: open?.holidays ?? [],
        questions: listQuestions(ctx, asked),
        plainFindings: countPlainFindings(ctx, project, asked, jargon),
        waivers: waived.filter(({ projectId }) => projectId === project.id),
      },
    ]
  })
}

const listQuestions = ({ contentLanguage, site }: Ctx, asked: readonly SurveyForDuties[]): ProjectDuties['questions'] =>
  asked.flatMap(({ id, definition }) =>
    definition.pages
      .flatMap(({ questions }) => questions)
      .filter(({ removed, type }) => removed !== true && type !== 'info')
      .map((question) => ({ survey: id, question: question.id, title: getTranslation(question.title, contentLanguage, site.locale) })),
  )

function countPlainFindings(
  { site }: Ctx,
  { title, summary, body, outcome }: ProjectRow,
  asked: readonly SurveyForDuties[],
  jargon: Awaited<ReturnType<typeof loadSiteJargon>>,
): ProjectDuties['plainFindings'] {
  const codes = site.languages.flatMap((language) => {
    const passages = [
      ...listFieldPassages({ title, summary, body, outcome }, language),
      ...asked.flatMap(({ definition }) => listSurveyPassages(definition as Definition, language)),
    ]
    const entries = jargon.find((list) => list.language === language)?.entries ?? []
    return checkPlain(passages, language, entries).map(({ code }) => code)
  })
  return PLAIN_CODES.map((code) => ({ code, count: codes.filter((each) => each === code).length })).filter(({ count: found }) => found > 0)
}

/** @throws {AppError} `forbidden`, `stale`; `invalid` with `not-a-choice` for a question that no survey of the project asks */
export async function updateDuties(
  ctx: Ctx,
  { id, project }: ProjectDuties,
  input: UpdateInput<typeof consultationDutyShape>,
  lockVersion: number,
): Promise<void> {
  requirePermission(ctx, 'projects.edit', toPermissionTarget(project))
  await ctx.db.tx(async (tx) => {
    const asked = await loadDutySurveys(ctx, tx, id)
    for (const name of ['effectsQuestion', 'improvementsQuestion'] as const)
      if (input[name] && !isAsked(asked, input[name]))
        throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: `/${name}` }] })
    const ofProject = and(eq(consultationDuties.siteId, ctx.site.id), eq(consultationDuties.projectId, id))
    await tx.insert(consultationDuties).values({ siteId: ctx.site.id, projectId: id }).onConflictDoNothing()
    const [before] = await tx.select().from(consultationDuties).where(ofProject)
    const saved = {
      ...(input.openToChange !== undefined && { openToChange: input.openToChange }),
      ...(input.notOpen !== undefined && { notOpen: input.notOpen }),
      ...(input.reasons !== undefined && { reasons: input.reasons }),
      ...(input.equality !== undefined && { equality: input.equality }),
      ...(input.welshEffects !== undefined && { welshEffects: input.welshEffects }),
      ...(input.effectsQuestion !== undefined && { effectsQuestion: input.effectsQuestion }),
      ...(input.improvementsQuestion !== undefined && { improvementsQuestion: input.improvementsQuestion }),
    }
    const changed = await tx
      .update(consultationDuties)
      .set({ ...saved, lockVersion: lockVersion + 1, updatedAt: ctx.now() })
      .where(and(ofProject, eq(consultationDuties.lockVersion, lockVersion)))
      .returning({ id: consultationDuties.projectId })
    if (!before || changed.length === 0) throw new AppError('stale')
    await recordAudit(ctx, tx, {
      action: 'consultation-duties.update',
      subject: { type: 'projects', id },
      hubId: project.hubId,
      projectId: id,
      changes: listChanges(before, saved),
    })
  })
}
