import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requireDuties } from '#app/features/duties/check-duties.server.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { decisionPublications, decisions, decisionThemes } from '#app/server/db/schema/heard.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { listTextGaps, toGapFaults } from '#app/server/translations.ts'
import type { DecisionRow } from './decisions.server.ts'
import { requireProjectFor } from './heard.policy.server.ts'
import { listDecisionTexts, MAX_THEME, PEOPLE_OWED_A_DECISION, type ThemeFigures } from './heard.schema.ts'
import { countThemes, loadProjectThemes, resolveMerges, type ThemeRow } from './theme-figures.server.ts'
import { countTexts, getReaderId } from './written-texts.server.ts'

export type PublicationRow = typeof decisionPublications.$inferSelect

/**
 * Publishes all decisions of a project. The figures of their themes stay as they are now.
 * @returns the publication's id
 * @throws {AppError} `not-found`, `forbidden`; `invalid` with `decision-missing` for each theme of five people or more without a decision, with
 * `required` without any decision, with what is missing in a language of the site and not waived, or with `duty-missing` for each duty that is not met
 * if no reason is given
 */
export function publishDecisions(
  ctx: Ctx,
  input: { project: string; waived?: readonly string[] | undefined; dutyReason?: string | undefined },
): Promise<PublicationRow> {
  return ctx.db.tx(async (tx) => {
    const project = await requireProjectFor(ctx, tx, 'projects.publish', input.project)
    // Of two people who publish at the same time, the second waits.
    await tx
      .select({ id: projects.id })
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, project.id)))
      .for('update')
    const all = await tx
      .select()
      .from(decisions)
      .where(and(eq(decisions.siteId, ctx.site.id), eq(decisions.projectId, project.id)))
      .orderBy(asc(decisions.number))
    if (all.length === 0) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/decisions' }] })
    const rows = await loadProjectThemes(ctx, tx, project.id)
    const figures = await countThemes(ctx, tx, project.id, rows)
    const undecided = await listUndecided(ctx, tx, project.id, rows, figures)
    if (undecided.length > 0) throw new AppError('invalid', { faults: undecided })
    await requireLanguages(ctx, tx, all, rows, input.waived ?? [])
    const version = (await findNewestVersion(ctx, tx, project.id)) + 1
    const progress = await countTexts(ctx, tx, project.id)
    const reading = {
      texts: progress.reduce((sum, { total }) => sum + total, 0),
      textsRead: progress.reduce((sum, { read }) => sum + read, 0),
    }
    await requireDuties(ctx, tx, project, { act: 'decisions', reason: input.dutyReason, reading })
    const [published] = await tx
      .insert(decisionPublications)
      .values({
        siteId: ctx.site.id,
        id: createId(),
        projectId: project.id,
        version,
        ...reading,
        people: Object.fromEntries([...figures].map(([id, { people }]) => [id, people])),
        publishedAt: ctx.now(),
        publishedBy: getReaderId(ctx),
      })
      .returning()
    if (!published) throw new AppError('conflict')
    await tx
      .update(decisions)
      .set({ publishedAt: ctx.now() })
      .where(and(eq(decisions.siteId, ctx.site.id), eq(decisions.projectId, project.id), isNull(decisions.publishedAt)))
    await tx.execute(sql`
      update theme_evidence set published_version = ${version}
      where site_id = ${ctx.site.id} and project_id = ${project.id} and state = 'confirmed' and published_version is null`)
    await recordAudit(ctx, tx, {
      action: 'decisions.publish',
      subject: { type: 'projects', id: project.id },
      hubId: project.hubId,
      projectId: project.id,
      detail: { version, decisions: all.length },
    })
    return published
  })
}

async function findNewestVersion(ctx: Ctx, tx: Tx, projectId: string): Promise<number> {
  const [newest] = await tx
    .select({ version: decisionPublications.version })
    .from(decisionPublications)
    .where(and(eq(decisionPublications.siteId, ctx.site.id), eq(decisionPublications.projectId, projectId)))
    .orderBy(desc(decisionPublications.version))
    .limit(1)
  return newest?.version ?? 0
}

/** The same for everything a project has now. */
export async function listUndecidedThemes(ctx: Ctx, tx: Tx, projectId: string): Promise<Fault[]> {
  const rows = await loadProjectThemes(ctx, tx, projectId)
  return listUndecided(ctx, tx, projectId, rows, await countThemes(ctx, tx, projectId, rows))
}

/** One fault for each theme that enough people raised and no decision answers. A theme is decided with those that were merged into it. */
async function listUndecided(
  ctx: Ctx,
  tx: Tx,
  projectId: string,
  rows: readonly ThemeRow[],
  figures: ReadonlyMap<string, ThemeFigures>,
): Promise<Fault[]> {
  const links = await tx
    .select({ theme: decisionThemes.themeId })
    .from(decisionThemes)
    .where(and(eq(decisionThemes.siteId, ctx.site.id), eq(decisionThemes.projectId, projectId)))
  const ends = resolveMerges(rows)
  const decided = new Set(links.map(({ theme }) => ends.get(theme)))
  return rows.flatMap(({ id, title }) => {
    const people = figures.get(id)?.people ?? 0
    return people < PEOPLE_OWED_A_DECISION || decided.has(id)
      ? []
      : [
          {
            code: 'decision-missing' as const,
            pointer: `/themes/${id}`,
            values: { theme: getTranslation(title, ctx.contentLanguage, ctx.site.locale), count: people },
          },
        ]
  })
}

/** What becomes public is complete in the site's languages, or knowingly is not. */
async function requireLanguages(
  ctx: Ctx,
  tx: Tx,
  all: readonly DecisionRow[],
  themes: readonly ThemeRow[],
  waived: readonly string[],
): Promise<void> {
  const faults: Fault[] = []
  for (const [at, row] of all.entries()) {
    if (row.publishedAt) continue
    const texts = listDecisionTexts(row).map((text) => ({ ...text, pointer: `/decisions/${at}${text.pointer}` }))
    faults.push(...toGapFaults(await listTextGaps(ctx, tx, row.id, texts)))
  }
  for (const [at, { id, title }] of themes.filter(({ mergedInto }) => mergedInto === null).entries()) {
    const text = { pointer: `/themes/${at}/titleTranslations`, text: title, isNeeded: true, max: MAX_THEME.title }
    faults.push(...toGapFaults(await listTextGaps(ctx, tx, id, [text])))
  }
  const left = faults.filter(({ values }) => !waived.includes(String(values?.['name'])))
  if (left.length > 0) throw new AppError('invalid', { faults: left })
}
