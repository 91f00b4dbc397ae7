import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import { budgetOptions, budgetPots } from '#app/server/db/schema/budgets.ts'

const groupIds = (rows: readonly { roundId: string; id: string }[]): Map<string, string[]> =>
  new Map([...Map.groupBy(rows, ({ roundId }) => roundId)].map(([round, own]) => [round, own.map(({ id }) => id)]))

/** Ids of the pots of rounds, in order. */
export const listPotIds = (ctx: Ctx, rounds: readonly { id: string }[]): Promise<Map<string, string[]>> =>
  ctx.db.read(async (tx) =>
    groupIds(
      await tx
        .select({ roundId: budgetPots.roundId, id: budgetPots.id })
        .from(budgetPots)
        .where(
          and(
            eq(budgetPots.siteId, ctx.site.id),
            inArray(
              budgetPots.roundId,
              rounds.map(({ id }) => id),
            ),
          ),
        )
        .orderBy(asc(budgetPots.position), asc(budgetPots.id)),
    ),
  )

/** The same for options, by number. */
export const listOptionIds = (ctx: Ctx, rounds: readonly { id: string }[]): Promise<Map<string, string[]>> =>
  ctx.db.read(async (tx) =>
    groupIds(
      await tx
        .select({ roundId: budgetOptions.roundId, id: budgetOptions.id })
        .from(budgetOptions)
        .where(
          and(
            eq(budgetOptions.siteId, ctx.site.id),
            inArray(
              budgetOptions.roundId,
              rounds.map(({ id }) => id),
            ),
          ),
        )
        .orderBy(asc(budgetOptions.number)),
    ),
  )
