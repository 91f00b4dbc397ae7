import { and, eq } from 'drizzle-orm'
import type { CreateInput } from '#app/lib/api-client/resource-types.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { budgetRounds } from '#app/server/db/schema/budgets.ts'
import { knownRounds, selectPlacedRounds } from '../budgets.policy.server.ts'
import { budgetBallotShape } from './budget-ballots.api.schema.ts'
import { castBallot } from './cast-ballot.server.ts'
import { findOwnBallot, hashVoter } from './voters.server.ts'

interface OwnBallot {
  id: string
  roundId: string
  options: number[]
  points: number[] | null
  version: number
  code?: string
}

/** The ballots of the viewer's account, for as long as anything leads to them. */
const loadOwnBallots = (ctx: Ctx, roundId?: string): Promise<OwnBallot[]> =>
  ctx.db.read(async (tx) => {
    if (ctx.viewer.kind === 'visitor') return []
    const rounds = await selectPlacedRounds(tx)
      .where(and(knownRounds(ctx), eq(budgetRounds.hasBallots, true), roundId ? eq(budgetRounds.id, roundId) : undefined))
      .limit(100)
    const own: OwnBallot[] = []
    for (const { round } of rounds) {
      const ballot = await findOwnBallot(tx, round, await hashVoter(ctx, tx, round))
      if (ballot) own.push({ id: ballot.id, roundId: round.id, options: ballot.options, points: ballot.points, version: ballot.version })
    }
    return own
  })

async function listBallots(ctx: Ctx, { filter, page }: ListQuery<typeof budgetBallotShape>): Promise<ListResult<OwnBallot>> {
  const own = await loadOwnBallots(ctx, filter.round)
  return { rows: own.slice(page.offset, page.offset + page.limit), total: own.length }
}

async function createBallot(ctx: Ctx, input: CreateInput<typeof budgetBallotShape>): Promise<OwnBallot> {
  const { sendingId, sendKey, seen, options, points, round: roundId } = input
  const { isReplaced: _, ...cast } = await castBallot(
    ctx,
    { id: roundId },
    {
      id: sendingId,
      sendKey,
      seen,
      options,
      ...(points && { points: Object.fromEntries(options.map((number, at) => [number, points[at] ?? 0])) }),
    },
  )
  return cast
}

export const budgetBallotResource = implementResource(budgetBallotShape, {
  load: async (ctx, ids) => (await loadOwnBallots(ctx)).filter(({ id }) => ids.includes(id)),
  list: listBallots,
  attributes: ({ options, points, version, code }) => ({
    options,
    version,
    ...(points && { points }),
    ...(code && { receiptCode: code }),
  }),
  relationships: { round: { id: ({ roundId }) => roundId, alwaysVisible: true, seenByCreate: true } },
  creators: 'signed-in',
  create: createBallot,
})
