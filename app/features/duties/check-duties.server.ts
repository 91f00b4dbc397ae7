import { and, count, eq } from 'drizzle-orm'
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

export async function loadDutyRow({ site }: Ctx, tx: Tx, projectId: string): Promise<DutyRow> {
  const [row] = await tx
    .select()
    .from(consultationDuties)
    .where(and(eq(consultationDuties.siteId, site.id), eq(consultationDuties.projectId, projectId)))
  return row ?? createEmptyRow(site.id, projectId)
}

export interface SurveyForDuties {
  id: string
  status: string
  title: Record<string, string | undefined>
  definition: { pages: { questions: { id: string; type: string; removed?: boolean; title: Record<string, string | undefined> }[] }[] }
}

/** The project's surveys as they are drafted. */
export async function loadDutySurveys({ site }: Ctx, tx: Tx, projectId: string): Promise<SurveyForDuties[]> {
  const rows = await tx
    .select({ id: surveys.id, status: surveys.status, title: surveys.title, definition: surveys.definition })
    .from(surveys)
    .where(and(eq(surveys.siteId, site.id), eq(surveys.projectId, projectId)))
    .orderBy(surveys.createdAt, surveys.id)
  return rows as SurveyForDuties[]
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

/** @param reading what was read; of no interest before there are decisions */
export async function loadDutyFacts(
  ctx: Ctx,
  tx: Tx,
  project: DutyProject,
  reading: ReadingCount = { texts: 0, textsRead: 0 },
): Promise<{ row: DutyRow; facts: DutyFacts; open: OpenDays | null; asked: SurveyForDuties[] }> {
  const { site } = ctx
  const row = await loadDutyRow(ctx, tx, project.id)
  const asked = await loadDutySurveys(ctx, tx, project.id)
  const [documents] = await tx
    .select({ total: count() })
    .from(projectDocuments)
    .where(and(eq(projectDocuments.siteId, site.id), eq(projectDocuments.projectId, project.id)))
  const [decided] = await tx
    .select({ total: count() })
    .from(decisions)
    .where(and(eq(decisions.siteId, site.id), eq(decisions.projectId, project.id)))
  const shownAt = project.publishedAt ?? project.publishAt ?? ctx.now()
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
    documents: documents?.total ?? 0,
    daysOpen: open?.days ?? null,
    decisions: decided?.total ?? 0,
    ...reading,
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
