import { and, eq } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projectDates, projectDocuments, projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { projectColumns, toPermissionTarget, type ProjectRow } from './projects.policy.server.ts'

/**
 * The project to copy; the viewer must be able to edit it.
 * @throws {AppError} `invalid` with `not-found` for any other, whether it exists or not
 */
export async function requireCopySource(ctx: Ctx, tx: Tx, id: string): Promise<ProjectRow> {
  const [row] = await tx
    .select(projectColumns)
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, id)))
  if (row && checkPermission(ctx.viewer, 'projects.edit', toPermissionTarget(row)).ok) return row
  throw new AppError('invalid', { faults: [{ code: 'not-found', pointer: '/copyOf' }] })
}

/** The texts that a copy takes over. The outcome, dates and participants belong to the original. */
export const pickCopiedTexts = (row: ProjectRow) => ({
  summaryTranslations: row.summary,
  bodyTranslations: row.body,
  outcomeTranslations: {},
  pictureAltTranslations: row.pictureAlt,
})
export const pickCopiedColumns = ({ topicId, visibility, picture, place, team, faqs }: ProjectRow) => ({
  topicId,
  visibility,
  picture,
  place,
  team,
  faqs,
})

/** Copies key dates, documents and, if wanted, surveys: as drafts with the same questions, without times, answers or versions. */
export async function copyParts(ctx: Ctx, tx: Tx, from: string, to: string, withSurveys: boolean): Promise<void> {
  const own = { siteId: ctx.site.id, projectId: from }
  const isOfProject = (table: typeof projectDates | typeof projectDocuments | typeof surveys) =>
    and(eq(table.siteId, own.siteId), eq(table.projectId, own.projectId))
  const dates = await tx.select().from(projectDates).where(isOfProject(projectDates))
  if (dates.length) await tx.insert(projectDates).values(dates.map((date) => ({ ...date, id: createId(), projectId: to })))
  const documents = await tx.select().from(projectDocuments).where(isOfProject(projectDocuments))
  if (documents.length)
    await tx.insert(projectDocuments).values(documents.map((document) => ({ ...document, ...renewAddress(document), projectId: to })))
  if (!withSurveys) return
  const asked = await tx.select().from(surveys).where(isOfProject(surveys))
  if (!asked.length) return
  await tx.insert(surveys).values(
    asked.map((survey) => ({
      siteId: ctx.site.id,
      id: createId(),
      projectId: to,
      slug: survey.slug,
      title: survey.title,
      intro: survey.intro,
      thanks: survey.thanks,
      access: survey.access,
      groupId: survey.groupId,
      anonymous: survey.anonymous,
      variant: survey.variant,
      changeable: survey.changeable,
      minutes: survey.minutes,
      definition: survey.definition,
      position: survey.position,
      updatedAt: ctx.now(),
    })),
  )
}

/** Gives the copy's uploaded document a new address, which follows the copy's visibility. */
function renewAddress({ id, file, content }: typeof projectDocuments.$inferSelect): { id: string; file: string } {
  const own = createId()
  return { id: own, file: content === null ? file : file.replace(id, own) }
}
