import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, AnyPgTable } from 'drizzle-orm/pg-core'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { CopiedPart } from '#app/lib/vocabulary/projects.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetOptions, budgetPots, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { activities, contributionStatuses, mapLayers, projectStages } from '#app/server/db/schema/contributions.ts'
import { projectDates, projectDocuments, projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { ProjectDescription } from './project-description.server.ts'
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
const pickCopiedTexts = (row: ProjectRow) => ({
  summaryTranslations: row.summary,
  bodyTranslations: row.body,
  outcomeTranslations: {},
  pictureAltTranslations: row.pictureAlt,
})
const pickCopiedColumns = ({ topicId, visibility, picture, place, team, faqs }: ProjectRow, parts: ReadonlySet<CopiedPart>) => ({
  topicId,
  visibility,
  picture,
  place,
  ...(parts.has('team') && { team }),
  ...(parts.has('faqs') && { faqs }),
})

/** Moves a date of the original to where the copy has it. */
type MoveDate = (date: Date) => SQL<Date>

/**
 * How dates move if the copy begins at `opensAt`: by the time between the original's beginning and then, on the site's clock, so that what
 * began at nine still does after a change to summer time. Undefined if the copy has no beginning, or the original no date at all.
 */
async function buildDateMove(ctx: Ctx, tx: Tx, source: ProjectRow, opensAt: Date | null): Promise<MoveDate | undefined> {
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
    await firstOf(budgetRounds, budgetRounds.opensAt),
  ].flatMap((date) => date ?? [])
  return found.toSorted((one, other) => one.getTime() - other.getTime())[0]
}

const isOfProject = (ctx: Ctx, table: { siteId: AnyPgColumn; projectId: AnyPgColumn }, projectId: string) =>
  and(eq(table.siteId, ctx.site.id), eq(table.projectId, projectId))

interface Copying {
  from: string
  move: MoveDate | undefined
}

/**
 * Describes a copy of a project. Surveys and activities have the same questions, without anything that people said. Without a beginning,
 * they have no times; stages and key dates, which cannot be without one, keep the original's.
 * @param opensAt when the copy begins
 */
export async function describeCopy(
  ctx: Ctx,
  tx: Tx,
  source: ProjectRow,
  parts: ReadonlySet<CopiedPart>,
  opensAt: Date | null,
): Promise<ProjectDescription> {
  const move = await buildDateMove(ctx, tx, source, opensAt)
  const copying = { from: source.id, move }
  return {
    texts: pickCopiedTexts(source),
    columns: { ...pickCopiedColumns(source, parts), ...(source.closesAt && move && { closesAt: move(source.closesAt) }) },
    dates: parts.has('dates') ? await describeKeyDates(ctx, tx, copying) : [],
    documents: parts.has('documents') ? await describeDocuments(ctx, tx, copying) : [],
    stages: parts.has('stages') ? await describeStages(ctx, tx, copying) : [],
    activities: parts.has('activities') ? await describeActivities(ctx, tx, copying) : [],
    surveys: parts.has('surveys') ? await describeSurveys(ctx, tx, copying) : [],
    rounds: parts.has('budgets') ? await describeRounds(ctx, tx, copying) : [],
  }
}

const moveOrKeep = (date: Date, move: MoveDate | undefined) => (move ? move(date) : date)
/** Opening and closing times; null if dates do not move. */
const moveTimes = ({ opensAt, closesAt }: { opensAt: Date | null; closesAt: Date | null }, move: MoveDate | undefined) => ({
  opensAt: opensAt && move ? move(opensAt) : null,
  closesAt: closesAt && move ? move(closesAt) : null,
})

async function describeKeyDates(ctx: Ctx, tx: Tx, { from, move }: Copying): Promise<ProjectDescription['dates']> {
  const dates = await tx
    .select()
    .from(projectDates)
    .where(isOfProject(ctx, projectDates, from))
  return dates.map((date) => ({ ...date, happensAt: moveOrKeep(date.happensAt, move) }))
}

/** The copy's documents have addresses of their own, which follow its visibility; both refer to the same stored content. */
async function describeDocuments(ctx: Ctx, tx: Tx, { from }: Copying): Promise<ProjectDescription['documents']> {
  const documents = await tx
    .select()
    .from(projectDocuments)
    .where(isOfProject(ctx, projectDocuments, from))
  return documents.map((document) => ({
    row: document,
    buildFile: (id) => (document.content === null ? document.file : document.file.replace(document.id, id)),
  }))
}

async function describeStages(ctx: Ctx, tx: Tx, { from, move }: Copying): Promise<ProjectDescription['stages']> {
  const stages = await tx
    .select()
    .from(projectStages)
    .where(isOfProject(ctx, projectStages, from))
  return stages.map(({ id, title, summary, kind, position, startsAt, endsAt }) => ({
    key: id,
    row: { title, summary, kind, position, startsAt: moveOrKeep(startsAt, move), endsAt: endsAt && moveOrKeep(endsAt, move) },
  }))
}

/** What was archived is left behind: it is kept in the original only for what people said with it. */
const dropArchived = <Part extends { archived?: boolean }>(parts: readonly Part[] | undefined): Part[] =>
  (parts ?? []).filter(({ archived }) => !archived)

async function describeActivities(ctx: Ctx, tx: Tx, { from, move }: Copying): Promise<ProjectDescription['activities']> {
  const originals = await tx
    .select()
    .from(activities)
    .where(and(isOfProject(ctx, activities, from), sql`${activities.status} <> 'archived'`))
  if (originals.length === 0) return []
  const isOfOriginal = (table: typeof contributionStatuses | typeof mapLayers) =>
    and(
      eq(table.siteId, ctx.site.id),
      inArray(
        table.activityId,
        originals.map(({ id }) => id),
      ),
    )
  const statuses = await tx
    .select()
    .from(contributionStatuses)
    .where(and(isOfOriginal(contributionStatuses), eq(contributionStatuses.archived, false)))
  const layers = await tx.select().from(mapLayers).where(isOfOriginal(mapLayers)).orderBy(asc(mapLayers.position))
  return originals.map((activity) => {
    const settings = activity.settings as { categories?: { archived?: boolean }[] }
    const isOwn = ({ activityId }: { activityId: string }) => activityId === activity.id
    return {
      row: {
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
      },
      stage: activity.stageId ?? undefined,
      statuses: statuses.filter(isOwn).map((status) => ({ ...status, lockVersion: 1 })),
      layers: layers.filter(isOwn).map((layer) => ({ ...layer, lockVersion: 1 })),
    }
  })
}

async function describeSurveys(ctx: Ctx, tx: Tx, { from, move }: Copying): Promise<ProjectDescription['surveys']> {
  const originals = await tx
    .select()
    .from(surveys)
    .where(isOfProject(ctx, surveys, from))
  return originals.map((survey) => ({
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
  }))
}

/** Votes on money with their rules, pots and options: without ballots, results, withdrawn options, and what became of the others. */
async function describeRounds(ctx: Ctx, tx: Tx, { from, move }: Copying): Promise<ProjectDescription['rounds']> {
  const originals = await tx
    .select()
    .from(budgetRounds)
    .where(isOfProject(ctx, budgetRounds, from))
  if (originals.length === 0) return []
  const isOfOriginal = (table: typeof budgetPots | typeof budgetOptions) =>
    and(
      eq(table.siteId, ctx.site.id),
      inArray(
        table.roundId,
        originals.map(({ id }) => id),
      ),
    )
  const pots = await tx.select().from(budgetPots).where(isOfOriginal(budgetPots))
  const options = await tx
    .select()
    .from(budgetOptions)
    .where(and(isOfOriginal(budgetOptions), isNull(budgetOptions.withdrawnAt)))
  return originals.map((round) => ({
    row: {
      slug: round.slug,
      title: round.title,
      intro: round.intro,
      ballotType: round.ballotType,
      minOptions: round.minOptions,
      maxOptions: round.maxOptions,
      maxPots: round.maxPots,
      maxPoints: round.maxPoints,
      rule: round.rule,
      threshold: round.threshold,
      currency: round.currency,
      access: round.access,
      verification: round.verification,
      paper: round.paper,
      position: round.position,
      ...moveTimes(round, move),
    },
    pots: pots
      .filter(({ roundId }) => roundId === round.id)
      .map((pot) => ({
        row: { title: pot.title, amount: pot.amount, position: pot.position },
        options: options.filter(({ potId }) => potId === pot.id).map(describeOption),
      })),
  }))
}

const describeOption = ({
  number,
  title,
  text,
  cost,
  costNote,
  place,
  lng,
  lat,
  exclusiveGroup,
  state,
  reason,
}: typeof budgetOptions.$inferSelect) => ({
  number,
  title,
  text,
  cost,
  costNote,
  place,
  lng,
  lat,
  exclusiveGroup,
  state,
  reason,
})
