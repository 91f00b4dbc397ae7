import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { requirePermissionSomewhere } from '#app/features/permissions/permissions.policy.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { isOpenCase, moderationCases } from '#app/server/db/schema/moderation.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { assignCase } from '../moderation/assign-case.server.ts'
import { assignQuestion } from '../questions/assign-question.server.ts'
import { listPermittedPeople } from '../record/permitted-people.server.ts'
import { selectFitting } from './desk-bulk.server.ts'
import type { ChosenOnDesk } from './desk-search.ts'

interface DeskAssignment {
  /** What can be assigned: questions without an answer, and what waits for a decision. The oldest first. */
  ids: string[]
  unfit: number
  /** Who may answer and decide everywhere that these are from. */
  people: { id: string; name: string }[]
}

const openCases = (siteId: string): SQL =>
  sql`array(select ${moderationCases.contributionId} from ${moderationCases} where ${moderationCases.siteId} = ${siteId} and ${isOpenCase})`

const isUnansweredQuestion = sql`(${contributions.dueAt} is not null and ${contributions.answered} is null and ${contributions.state} in ('held', 'published'))`

/**
 * What would be assigned of everything that a list shows, or of the given ones, and to whom that is possible.
 * @throws {AppError} `unauthenticated`, `forbidden`
 */
export function planDeskAssignment(ctx: Ctx, chosen: ChosenOnDesk): Promise<DeskAssignment> {
  requirePermissionSomewhere(ctx, 'contributions.moderate')
  return ctx.db.read(async (tx) => {
    const fits = sql`(${isUnansweredQuestion} or ${contributions.id} = any (${openCases(ctx.site.id)}))`
    const plan = await selectFitting(ctx, tx, chosen, fits)
    return { ...plan, people: await listPeopleForAll(ctx, tx, plan.ids) }
  })
}

async function listPeopleForAll(ctx: Ctx, tx: Tx, ids: readonly string[]): Promise<DeskAssignment['people']> {
  if (ids.length === 0) return []
  const places = await tx
    .selectDistinct({ id: projects.id, hubId: projects.hubId, publishedAt: projects.publishedAt })
    .from(contributions)
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .where(and(eq(contributions.siteId, ctx.site.id), inArray(contributions.id, [...ids])))
  const people: DeskAssignment['people'][] = []
  for (const place of places) people.push(await listPermittedPeople(ctx, tx, 'contributions.moderate', place))
  const [first = [], ...others] = people
  return first.filter(({ id }) => others.every((permitted) => permitted.some((person) => person.id === id)))
}

/**
 * Assigns each of some contributions, with its open cases, to a colleague, or to nobody: each in a transaction of its own, with its record and its
 * message. Sent twice, it changes nothing more.
 * @returns how many need nobody any more, because somebody answered or decided meanwhile, or are gone
 * @throws {AppError} `unauthenticated`, `forbidden`; `invalid` with `not-a-choice` at `/assigneeId`
 */
export async function assignFromDesk(
  ctx: Ctx,
  { ids, assigneeId }: { ids: readonly string[]; assigneeId: string | null },
): Promise<{ left: number }> {
  requirePermissionSomewhere(ctx, 'contributions.moderate')
  const known = await ctx.db.read((tx) =>
    tx
      .select({ id: contributions.id, isQuestion: sql<boolean>`${isUnansweredQuestion}` })
      .from(contributions)
      .where(and(eq(contributions.siteId, ctx.site.id), inArray(contributions.id, [...ids]))),
  )
  const cases = await ctx.db.read((tx) =>
    tx
      .select({ id: moderationCases.id, contributionId: moderationCases.contributionId })
      .from(moderationCases)
      .where(and(eq(moderationCases.siteId, ctx.site.id), isOpenCase, inArray(moderationCases.contributionId, [...ids]))),
  )
  let left = ids.length - known.length
  for (const { id, isQuestion } of known) {
    const own = cases.filter(({ contributionId }) => contributionId === id)
    const acts = [
      ...(isQuestion ? [() => assignQuestion(ctx, id, assigneeId)] : []),
      ...own.map((each) => () => assignCase(ctx, each, assigneeId)),
    ]
    let isAssigned = false
    for (const act of acts) isAssigned = (await actUnlessGone(act)) || isAssigned
    if (!isAssigned) left += 1
  }
  return { left }
}

/** @returns false if there is nothing to assign any more */
async function actUnlessGone(act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (isAppError(error, 'conflict') || isAppError(error, 'not-found')) return false
    throw error
  }
}
