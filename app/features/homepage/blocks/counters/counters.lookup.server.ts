import { and, eq, sql, sum } from 'drizzle-orm'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { phaseSql } from '#app/features/projects/project-cards.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { HomeBlock } from '../../homepage.schema.ts'
import type { PageFacts } from '../../block-lookups.server.ts'
import type { CountersData } from './counters.block.ts'

/** Counts listed projects only: of the whole site, or of the hub that the page belongs to. */
export async function lookUpCounters(ctx: Ctx, _: HomeBlock<'counters'>, { hubId }: PageFacts): Promise<CountersData> {
  const phase = phaseSql(ctx.now())
  const countWhere = (what: ReturnType<typeof sql>) => sql<number>`count(*) filter (where ${what})`.mapWith(Number)
  const where = and(listedWhere(ctx), hubId ? eq(projects.hubId, hubId) : undefined)
  return ctx.db.read(async (tx) => {
    const [row] = await tx
      .select({
        decisions: countWhere(sql`${phase} = 'results'`),
        open: countWhere(sql`${phase} = 'open'`),
        people: sql<number>`coalesce(sum(${projects.participants}), 0)`.mapWith(Number),
      })
      .from(projects)
      .where(where)
    const [given] = await tx
      .select({ answers: sum(surveys.responsesCount).mapWith(Number) })
      .from(surveys)
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(where)
    return {
      values: { answers: given?.answers ?? 0, decisions: row?.decisions ?? 0, open_projects: row?.open ?? 0, people: row?.people ?? 0 },
    }
  })
}
