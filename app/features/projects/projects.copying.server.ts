import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, AnyPgTable } from 'drizzle-orm/pg-core'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { CopiedPart } from '#app/lib/vocabulary/projects.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributionStatuses, mapLayers, projectStages } from '#app/server/db/schema/contributions.ts'
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

/** The texts that a copy takes over. The outcome and participants belong to the original. */
export const pickCopiedTexts = (row: ProjectRow) => ({
  summaryTranslations: row.summary,
  bodyTranslations: row.body,
  outcomeTranslations: {},
  pictureAltTranslations: row.pictureAlt,
})
export const pickCopiedColumns = ({ topicId, visibility, picture, place, team, faqs }: ProjectRow, parts: ReadonlySet<CopiedPart>) => ({
  topicId,
  visibility,
  picture,
  place,
  ...(parts.has('team') && { team }),
  ...(parts.has('faqs') && { faqs }),
})

/** Moves a date of the original to where the copy has it. */
export type MoveDate = (date: Date) => SQL<Date>

/**
 * How dates move if the copy begins at `opensAt`: by the time between the original's beginning and then, on the site's clock, so that what
 * began at nine still does after a change to summer time. Undefined if the copy has no beginning, or the original no date at all.
 */
export async function buildDateMove(ctx: Ctx, tx: Tx, source: ProjectRow, opensAt: Date | null): Promise<MoveDate | undefined> {
  const beginning = source.opensAt ?? (await findFirstDate(ctx, tx, source.id))
  if (!opensAt || !beginning) return undefined
  const onClock = (date: Date) => sql`(${date.toISOString()}::timestamptz at time zone ${ctx.site.timeZone})`
  return (date) => sql<Date>`((${onClock(date)} + (${onClock(opensAt)} - ${onClock(beginning)})) at time zone ${ctx.site.timeZone})`
}

async function findFirstDate(ctx: Ctx, tx: Tx, projectId: string): Promise<Date | undefined> {
  const firstOf = async (table: AnyPgTable & { siteId: AnyPgColumn; projectId: AnyPgColumn }, date: AnyPgColumn) => {
    const [row] = await tx
      .select({ first: sql`min(${date})`.mapWith((value: unknown) => date.mapFromDriverValue(value) as Date | null) })
      .from(table)
      .where(isOfProject(ctx, table, projectId))
    return row?.first ?? undefined
  }
  const found = [
    await firstOf(projectStages, projectStages.startsAt),
    await firstOf(projectDates, projectDates.happensAt),
    await firstOf(activities, activities.opensAt),
    await firstOf(surveys, surveys.opensAt),
  ].flatMap((date) => date ?? [])
  return found.toSorted((one, other) => one.getTime() - other.getTime())[0]
}

const isOfProject = (ctx: Ctx, table: { siteId: AnyPgColumn; projectId: AnyPgColumn }, projectId: string) =>
  and(eq(table.siteId, ctx.site.id), eq(table.projectId, projectId))

interface Copying {
  from: string
  to: string
  parts: ReadonlySet<CopiedPart>
  move: MoveDate | undefined
}

/**
 * Copies what stands in tables of its own. Surveys and activities become drafts with the same questions, without anything that people
 * said. Without `move`, they have no times; stages and key dates, which cannot be without one, keep the original's.
 */
export async function copyParts(ctx: Ctx, tx: Tx, copying: Copying): Promise<void> {
  const { parts } = copying
  if (parts.has('dates')) await copyKeyDates(ctx, tx, copying)
  if (parts.has('documents')) await copyDocuments(ctx, tx, copying)
  const stages = parts.has('stages') ? await copyStages(ctx, tx, copying) : new Map<string, string>()
  if (parts.has('activities')) await copyActivities(ctx, tx, copying, stages)
  if (parts.has('surveys')) await copySurveys(ctx, tx, copying)
}

const moveOrKeep = (date: Date, move: MoveDate | undefined) => (move ? move(date) : date)
/** Opening and closing times; null if dates do not move. */
const moveTimes = ({ opensAt, closesAt }: { opensAt: Date | null; closesAt: Date | null }, move: MoveDate | undefined) => ({
  opensAt: opensAt && move ? move(opensAt) : null,
  closesAt: closesAt && move ? move(closesAt) : null,
})

async function copyKeyDates(ctx: Ctx, tx: Tx, { from, to, move }: Copying): Promise<void> {
  const dates = await tx
    .select()
    .from(projectDates)
    .where(isOfProject(ctx, projectDates, from))
  if (dates.length === 0) return
  await tx
    .insert(projectDates)
    .values(dates.map((date) => ({ ...date, id: createId(), projectId: to, happensAt: moveOrKeep(date.happensAt, move) })))
}

/** The copy's documents have addresses of their own, which follow its visibility; both refer to the same stored content. */
async function copyDocuments(ctx: Ctx, tx: Tx, { from, to }: Copying): Promise<void> {
  const documents = await tx
    .select()
    .from(projectDocuments)
    .where(isOfProject(ctx, projectDocuments, from))
  if (documents.length === 0) return
  await tx.insert(projectDocuments).values(
    documents.map((document) => {
      const id = createId()
      return { ...document, id, projectId: to, file: document.content === null ? document.file : document.file.replace(document.id, id) }
    }),
  )
}

/** @returns the copies' ids by the originals' */
async function copyStages(ctx: Ctx, tx: Tx, { from, to, move }: Copying): Promise<Map<string, string>> {
  const stages = await tx
    .select()
    .from(projectStages)
    .where(isOfProject(ctx, projectStages, from))
  const ids = new Map(stages.map(({ id }) => [id, createId()]))
  if (stages.length === 0) return ids
  await tx.insert(projectStages).values(
    stages.map(({ id, title, summary, kind, position, startsAt, endsAt }) => ({
      siteId: ctx.site.id,
      id: ids.get(id) ?? createId(),
      projectId: to,
      title,
      summary,
      kind,
      position,
      startsAt: moveOrKeep(startsAt, move),
      endsAt: endsAt && moveOrKeep(endsAt, move),
      updatedAt: ctx.now(),
    })),
  )
  return ids
}

/** What was archived is left behind: it is kept in the original only for what people said with it. */
const dropArchived = <Part extends { archived?: boolean }>(parts: readonly Part[] | undefined): Part[] =>
  (parts ?? []).filter(({ archived }) => !archived)

async function copyActivities(ctx: Ctx, tx: Tx, { from, to, move }: Copying, stages: ReadonlyMap<string, string>): Promise<void> {
  const originals = await tx
    .select()
    .from(activities)
    .where(and(isOfProject(ctx, activities, from), sql`${activities.status} <> 'archived'`))
  if (originals.length === 0) return
  const ids = new Map(originals.map(({ id }) => [id, createId()]))
  const ownId = (id: string) => ids.get(id) ?? createId()
  await tx.insert(activities).values(
    originals.map((activity) => {
      const settings = activity.settings as { categories?: { archived?: boolean }[] }
      return {
        siteId: ctx.site.id,
        id: ownId(activity.id),
        projectId: to,
        stageId: (activity.stageId && stages.get(activity.stageId)) ?? null,
        kind: activity.kind,
        slug: activity.slug,
        title: activity.title,
        intro: activity.intro,
        ...moveTimes(activity, move),
        postAccess: activity.postAccess,
        reactAccess: activity.reactAccess,
        groupId: activity.groupId,
        moderation: activity.moderation,
        settings: { ...settings, ...(settings.categories && { categories: dropArchived(settings.categories) }) },
        fields: dropArchived(activity.fields as { archived?: boolean }[]),
        position: activity.position,
        layers: activity.layers,
        searchTitle: activity.searchTitle,
        searchText: activity.searchText,
        updatedAt: ctx.now(),
      }
    }),
  )
  const isOfOriginal = (table: typeof contributionStatuses | typeof mapLayers) =>
    and(eq(table.siteId, ctx.site.id), inArray(table.activityId, [...ids.keys()]))
  const statuses = await tx
    .select()
    .from(contributionStatuses)
    .where(and(isOfOriginal(contributionStatuses), eq(contributionStatuses.archived, false)))
  if (statuses.length > 0) {
    await tx
      .insert(contributionStatuses)
      .values(statuses.map((status) => ({ ...status, id: createId(), activityId: ownId(status.activityId), lockVersion: 1 })))
  }
  const layers = await tx.select().from(mapLayers).where(isOfOriginal(mapLayers)).orderBy(asc(mapLayers.position))
  if (layers.length > 0) {
    await tx.insert(mapLayers).values(
      layers.map((layer) => ({
        ...layer,
        id: createId(),
        activityId: ownId(layer.activityId),
        lockVersion: 1,
        createdAt: ctx.now(),
        updatedAt: ctx.now(),
      })),
    )
  }
}

async function copySurveys(ctx: Ctx, tx: Tx, { from, to, move }: Copying): Promise<void> {
  const originals = await tx
    .select()
    .from(surveys)
    .where(isOfProject(ctx, surveys, from))
  if (originals.length === 0) return
  await tx.insert(surveys).values(
    originals.map((survey) => ({
      siteId: ctx.site.id,
      id: createId(),
      projectId: to,
      slug: survey.slug,
      title: survey.title,
      intro: survey.intro,
      thanks: survey.thanks,
      access: survey.access,
      groupId: survey.groupId,
      verification: survey.verification,
      anonymous: survey.anonymous,
      variant: survey.variant,
      changeable: survey.changeable,
      ...moveTimes(survey, move),
      minutes: survey.minutes,
      definition: survey.definition,
      searchTitle: survey.searchTitle,
      searchText: survey.searchText,
      position: survey.position,
      updatedAt: ctx.now(),
    })),
  )
}
