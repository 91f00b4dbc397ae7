import type { PgInsertValue, PgTable } from 'drizzle-orm/pg-core'
import type { Translated } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetOptions, budgetPots, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { activities, contributionStatuses, mapLayers, projectStages } from '#app/server/db/schema/contributions.ts'
import { projectDates, projectDocuments, type projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'

/** A row without its ids and what it belongs to. */
type Described<Table extends PgTable, Own extends string = 'projectId'> = Omit<PgInsertValue<Table>, 'siteId' | 'id' | Own>

interface DescribedActivity {
  row: Omit<Described<typeof activities>, 'stageId'>
  /** Key of its stage. */
  stage: string | undefined
  statuses: readonly Described<typeof contributionStatuses, 'activityId'>[]
  layers: readonly Described<typeof mapLayers, 'activityId'>[]
}

interface DescribedPot {
  row: Described<typeof budgetPots, 'roundId'>
  options: readonly Described<typeof budgetOptions, 'roundId' | 'potId'>[]
}

/** Everything that a new project has beside its title, whatever it was described from: another project or a template. */
export interface ProjectDescription {
  texts: Record<'summaryTranslations' | 'bodyTranslations' | 'outcomeTranslations' | 'pictureAltTranslations', Translated>
  columns: Pick<
    Partial<PgInsertValue<typeof projects>>,
    'topicId' | 'visibility' | 'picture' | 'place' | 'team' | 'faqs' | 'opensAt' | 'closesAt'
  >
  dates: readonly Described<typeof projectDates>[]
  documents: readonly {
    row: Omit<Described<typeof projectDocuments>, 'file'>
    /** The address of the document with this id. */
    buildFile: (id: string) => string
  }[]
  stages: readonly { key: string; row: Described<typeof projectStages> }[]
  activities: readonly DescribedActivity[]
  surveys: readonly Described<typeof surveys>[]
  rounds: readonly { row: Described<typeof budgetRounds>; pots: readonly DescribedPot[] }[]
}

/** Makes what was described in tables of their own. Surveys, activities and votes on money are drafts. */
export async function insertParts(ctx: Ctx, tx: Tx, projectId: string, parts: ProjectDescription): Promise<void> {
  const place = () => ({ siteId: ctx.site.id, id: createId() })
  const inProject = () => ({ ...place(), projectId })
  const updatedAt = ctx.now()
  await insertAll(
    parts.dates.map((row) => ({ ...row, ...inProject() })),
    (rows) => tx.insert(projectDates).values(rows),
  )
  await insertAll(
    parts.documents.map(({ row, buildFile }) => {
      const own = inProject()
      return { ...row, ...own, file: buildFile(own.id) }
    }),
    (rows) => tx.insert(projectDocuments).values(rows),
  )
  const stages = parts.stages.map(({ key, row }) => ({ key, row: { ...row, ...inProject(), updatedAt } }))
  await insertAll(
    stages.map(({ row }) => row),
    (rows) => tx.insert(projectStages).values(rows),
  )
  const made = parts.activities.map((activity) => ({ ...activity, own: inProject() }))
  await insertAll(
    made.map(({ row, stage, own }) => ({
      ...row,
      ...own,
      stageId: stages.find(({ key }) => key === stage)?.row.id ?? null,
      updatedAt,
    })),
    (rows) => tx.insert(activities).values(rows),
  )
  await insertAll(
    made.flatMap(({ statuses, own }) => statuses.map((row) => ({ ...row, ...place(), activityId: own.id }))),
    (rows) => tx.insert(contributionStatuses).values(rows),
  )
  await insertAll(
    made.flatMap(({ layers, own }) => layers.map((row) => ({ ...row, ...place(), activityId: own.id, createdAt: updatedAt, updatedAt }))),
    (rows) => tx.insert(mapLayers).values(rows),
  )
  await insertAll(
    parts.surveys.map((row) => ({ ...row, ...inProject(), updatedAt })),
    (rows) => tx.insert(surveys).values(rows),
  )
  const rounds = parts.rounds.map(({ row, pots }) => ({ row: { ...row, ...inProject(), updatedAt }, pots }))
  await insertAll(
    rounds.map(({ row }) => row),
    (rows) => tx.insert(budgetRounds).values(rows),
  )
  const pots = rounds.flatMap((round) =>
    round.pots.map(({ row, options }) => ({ row: { ...row, ...place(), roundId: round.row.id }, options })),
  )
  await insertAll(
    pots.map(({ row }) => row),
    (rows) => tx.insert(budgetPots).values(rows),
  )
  await insertAll(
    pots.flatMap(({ row, options }) => options.map((option) => ({ ...option, ...place(), roundId: row.roundId, potId: row.id }))),
    (rows) => tx.insert(budgetOptions).values(rows),
  )
}

/** Drizzle refuses to insert no rows. */
const insertAll = async <Row>(rows: Row[], insert: (rows: Row[]) => PromiseLike<unknown>): Promise<void> =>
  void (rows.length > 0 && (await insert(rows)))
