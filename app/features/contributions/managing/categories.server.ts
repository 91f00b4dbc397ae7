import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { projectColumns } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { activities, projectStages } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { knownActivities, updateActivity } from './activities.editing.server.ts'
import { type PlacedActivity, requireActivityFor, selectPlacedActivities } from '../record/activities.policy.server.ts'
import type { CommonSettings } from '../kinds/define-kind.ts'
import type { categoryShape } from './categories.api.schema.ts'

type Category = CommonSettings['categories'][number]

/** A category with its place in the settings of its activity, which hold it. */
export interface PlacedCategory extends PlacedActivity {
  id: string
  category: Category
  position: number
}

/** Number of attempts if another person saves the activity at the same time. */
const ATTEMPTS = 5

const readCategories = ({ activity }: PlacedActivity) => (activity.settings as CommonSettings).categories

const buildCategoryId = (activityId: string, code: string) => `${activityId}.${code}`

const placeCategories = (placed: PlacedActivity): PlacedCategory[] =>
  readCategories(placed).map((category, position) => ({
    ...placed,
    id: buildCategoryId(placed.activity.id, category.id),
    category,
    position,
  }))

/** Ids of an activity's categories, in order. */
export const listCategoryIds = (placed: PlacedActivity): string[] => placeCategories(placed).map(({ id }) => id)

export function loadCategories(ctx: Ctx, ids: readonly string[]): Promise<PlacedCategory[]> {
  const wanted = new Set(ids)
  const activityIds = [...new Set(ids.map((id) => id.slice(0, id.indexOf('.'))))]
  return ctx.db.read(async (tx) => {
    const found = await selectPlacedActivities(tx).where(and(knownActivities(ctx), inArray(activities.id, activityIds)))
    return found.flatMap(placeCategories).filter(({ id }) => wanted.has(id))
  })
}

export function listCategories(ctx: Ctx, { filter, sort, page }: ListQuery<typeof categoryShape>): Promise<ListResult<PlacedCategory>> {
  return ctx.db.read(async (tx) => {
    const where = and(knownActivities(ctx), filter.activity ? eq(activities.id, filter.activity) : undefined)
    const each = sql`jsonb_array_elements(${activities.settings} -> 'categories') with ordinality as category(value, at)`
    const inProject = and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId))
    const [counted] = await tx
      .select({ total: count() })
      .from(activities)
      .innerJoin(projects, inProject)
      .innerJoin(each, sql`true`)
      .where(where)
    const rows = await tx
      .select({ activity: activities, stage: projectStages, project: projectColumns, at: sql<number>`category.at::int` })
      .from(activities)
      .innerJoin(projects, inProject)
      .leftJoin(projectStages, and(eq(projectStages.siteId, activities.siteId), eq(projectStages.id, activities.stageId)))
      .innerJoin(each, sql`true`)
      .where(where)
      .orderBy(sort[0]?.descending ? sql`category.at desc` : sql`category.at`, activities.id)
      .limit(page.limit)
      .offset(page.offset)
    return {
      rows: rows.flatMap(({ at, ...placed }) => placeCategories(placed).slice(at - 1, at)),
      total: counted?.total ?? 0,
    }
  })
}

/**
 * Adds a category to an activity.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; `invalid`, with `translation-missing` if the activity is published
 */
export async function createCategory(ctx: Ctx, { activity: activityId, position, titleTranslations }: CreateInput<typeof categoryShape>) {
  const code = createId().slice(-12)
  await changeCategories(ctx, activityId, (before) =>
    before.toSpliced(position ?? before.length, 0, { id: code, title: titleTranslations }),
  )
  return buildCategoryId(activityId, code)
}

/** @throws {AppError} `not-found`, `forbidden`, `stale`; `invalid`, with `translation-missing` if the activity is published */
export async function updateCategory(
  ctx: Ctx,
  { activity, category }: PlacedCategory,
  { titleTranslations, position, archived }: UpdateInput<typeof categoryShape>,
  lockVersion: number,
): Promise<void> {
  const change = (before: readonly Category[]) => {
    const at = before.findIndex(({ id }) => id === category.id)
    const { archived: wasArchived = false, ...kept } = category
    const changed = {
      ...kept,
      ...(titleTranslations && { title: titleTranslations }),
      ...((archived ?? wasArchived) && { archived: true }),
    }
    return before.toSpliced(at, 1).toSpliced(position ?? at, 0, changed)
  }
  await changeCategories(ctx, activity.id, change, lockVersion)
}

/** Deletes a category, or archives it if contributions have it. @throws {AppError} `not-found`, `forbidden` */
export const deleteCategory = (ctx: Ctx, { activity, category }: PlacedCategory): Promise<void> =>
  changeCategories(ctx, activity.id, (before) => before.filter(({ id }) => id !== category.id))

/** @param lockVersion the version that the caller read; without it, the last write wins */
async function changeCategories(
  ctx: Ctx,
  activityId: string,
  change: (before: readonly Category[]) => Category[],
  lockVersion?: number,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const placed = await ctx.db.tx((tx) => requireActivityFor(ctx, tx, 'activities.edit', activityId))
    const categories = change(readCategories(placed))
    const settings = { ...(placed.activity.settings as CommonSettings), categories }
    try {
      await updateActivity(ctx, placed, { settings }, lockVersion ?? placed.activity.lockVersion)
      return
    } catch (error) {
      if (isAppError(error, 'stale') && lockVersion === undefined && attempt < ATTEMPTS) continue
      throw isAppError(error, 'invalid') ? pointToCategory(error) : error
    }
  }
}

/** Faults in an activity's settings, as faults of the category that was sent. */
const pointToCategory = ({ faults }: AppError): AppError =>
  new AppError('invalid', {
    faults: faults.map((fault) => ({
      ...fault,
      pointer: fault.pointer?.replace(/^\/settings\/categories\/\d+\/title\b/, '/titleTranslations').replace(/^\/settings.*/, '/activity'),
    })),
  })
