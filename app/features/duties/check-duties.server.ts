import { and, count, eq, inArray } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { DutyAct } from '#app/lib/vocabulary/duties.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { consultationDuties, type DutyQuestion, dutyWaivers } from '#app/server/db/schema/duties.ts'
import { decisions } from '#app/server/db/schema/heard.ts'
import { projectDocuments, type projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { type DutyFacts, findMissingDuties } from './duties.schema.ts'
import { countOpenDays, type OpenDays } from './open-days.server.ts'

export type DutyProject = Pick<typeof projects.$inferSelect, 'id' | 'hubId' | 'opensAt' | 'closesAt' | 'publishAt' | 'publishedAt'>
export type DutyRow = typeof consultationDuties.$inferSelect

/** Of a project about which nothing is written yet. */
const createEmptyRow = (siteId: string, projectId: string): DutyRow => ({
  siteId,
  projectId,
  openToChange: '',
  notOpen: '',
  reasons: '',
  equality: '',
  welshEffects: '',
  effectsQuestion: null,
  improvementsQuestion: null,
  lockVersion: 1,
  updatedAt: new Date(0),
})

export interface SurveyForDuties {
  id: string
  status: string
  title: Record<string, string | undefined>
  definition: { pages: { questions: { id: string; type: string; removed?: boolean; title: Record<string, string | undefined> }[] }[] }
}

/** The project's surveys as they are drafted. */
export const loadDutySurveys = (ctx: Ctx, tx: Tx, projectId: string): Promise<SurveyForDuties[]> => selectDutySurveys(ctx, tx, [projectId])

async function selectDutySurveys(
  { site }: Ctx,
  tx: Tx,
  projectIds: readonly string[],
): Promise<(SurveyForDuties & { projectId: string })[]> {
  const rows = await tx
    .select({ id: surveys.id, projectId: surveys.projectId, status: surveys.status, title: surveys.title, definition: surveys.definition })
    .from(surveys)
    .where(and(eq(surveys.siteId, site.id), inArray(surveys.projectId, [...projectIds])))
    .orderBy(surveys.createdAt, surveys.id)
  return rows as (SurveyForDuties & { projectId: string })[]
}

/** Whether a question is still asked in one of the project's surveys. */
export const isAsked = (all: readonly SurveyForDuties[], chosen: DutyQuestion | null): boolean =>
  chosen !== null &&
  all.some(
    ({ id, definition }) =>
      id === chosen.survey &&
      definition.pages.some(({ questions }) => questions.some((each) => each.id === chosen.question && each.removed !== true)),
  )

/** Texts that people wrote, and how many were read. */
export interface ReadingCount {
  texts: number
  textsRead: number
}

interface ProjectFacts {
  row: DutyRow
  facts: DutyFacts
  open: OpenDays | null
  asked: SurveyForDuties[]
}

/** @param reading what was read; of no interest before there are decisions */
export async function loadDutyFacts(
  ctx: Ctx,
  tx: Tx,
  project: DutyProject,
  reading: ReadingCount = NOTHING_TO_READ,
): Promise<ProjectFacts> {
  const found = (await loadDutyFactsOf(ctx, tx, [project], new Map([[project.id, reading]]))).get(project.id)
  if (!found) throw new AppError('not-found')
  return found
}

/**
 * The same of several projects, in four statements.
 * @param readings by project
 */
export async function loadDutyFactsOf(
  ctx: Ctx,
  tx: Tx,
  projectRows: readonly DutyProject[],
  readings: ReadonlyMap<string, ReadingCount>,
): Promise<Map<string, ProjectFacts>> {
  const { site } = ctx
  const ids = projectRows.map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select()
    .from(consultationDuties)
    .where(and(eq(consultationDuties.siteId, site.id), inArray(consultationDuties.projectId, ids)))
  const asked = Map.groupBy(await selectDutySurveys(ctx, tx, ids), ({ projectId }) => projectId)
  const documents = await tx
    .select({ projectId: projectDocuments.projectId, total: count() })
    .from(projectDocuments)
    .where(and(eq(projectDocuments.siteId, site.id), inArray(projectDocuments.projectId, ids)))
    .groupBy(projectDocuments.projectId)
  const decided = await tx
    .select({ projectId: decisions.projectId, total: count() })
    .from(decisions)
    .where(and(eq(decisions.siteId, site.id), inArray(decisions.projectId, ids)))
    .groupBy(decisions.projectId)
  const totalOf = (counted: typeof documents, id: string) => counted.find(({ projectId }) => projectId === id)?.total ?? 0
  return new Map(
    projectRows.map((project) => {
      const { id } = project
      const row = rows.find(({ projectId }) => projectId === id) ?? createEmptyRow(site.id, id)
      const counts = { documents: totalOf(documents, id), decisions: totalOf(decided, id), ...(readings.get(id) ?? NOTHING_TO_READ) }
      return [id, describeFacts(ctx, project, { row, asked: asked.get(id) ?? [], counts })]
    }),
  )
}

const NOTHING_TO_READ: ReadingCount = { texts: 0, textsRead: 0 }

interface Found {
  row: DutyRow
  asked: SurveyForDuties[]
  counts: ReadingCount & { documents: number; decisions: number }
}

function describeFacts({ site, now }: Ctx, project: DutyProject, { row, asked, counts }: Found): ProjectFacts {
  const shownAt = project.publishedAt ?? project.publishAt ?? now()
  const opensAt = project.opensAt && project.opensAt > shownAt ? project.opensAt : shownAt
  const open = countOpenDays(opensAt, project.closesAt, site)
  const facts: DutyFacts = {
    openToChange: row.openToChange,
    notOpen: row.notOpen,
    reasons: row.reasons,
    equality: row.equality,
    welshEffects: row.welshEffects,
    asksEffects: isAsked(asked, row.effectsQuestion),
    asksImprovements: isAsked(asked, row.improvementsQuestion),
    daysOpen: open?.days ?? null,
    ...counts,
  }
  return { row, facts, open, asked }
}

interface Publishing {
  act: DutyAct
  /** Why it is published although a duty is not met. */
  reason?: string | undefined
  reading?: ReadingCount
}

/**
 * Lets something be published only if the duties that the site keeps are met, or with a reason, which goes into the audit log and the duty file.
 * @throws {AppError} `invalid` with `duty-missing` at `/dutyReason` for each duty
 */
export async function requireDuties(ctx: Ctx, tx: Tx, project: DutyProject, { act, reason, reading }: Publishing): Promise<void> {
  const { duties, dutyDays } = ctx.site
  if (duties === 'none') return
  const { facts } = await loadDutyFacts(ctx, tx, project, reading)
  const missing = findMissingDuties(act, duties, facts, dutyDays)
  if (missing.length === 0) return
  const given = reason?.trim()
  if (!given) {
    const t = getTranslator(ctx.language, 'duties')
    const faults = missing.map((duty) => ({
      code: 'duty-missing' as const,
      pointer: '/dutyReason',
      values: { duty: t(`names.${duty}`), name: duty },
    }))
    throw new AppError('invalid', { faults })
  }
  await tx
    .insert(dutyWaivers)
    .values({ siteId: ctx.site.id, id: createId(), projectId: project.id, act, missing, reason: given, createdAt: ctx.now() })
  await recordAudit(ctx, tx, {
    action: 'consultation-duties.waive',
    subject: { type: 'projects', id: project.id },
    hubId: project.hubId,
    projectId: project.id,
    detail: { act, missing, reason: given },
  })
}
