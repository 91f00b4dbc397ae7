import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { and, eq, gte, sql } from 'drizzle-orm'
import { COUNTING_RULES, type CountingRule } from '#app/lib/vocabulary/budgets.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetCounts, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { countWaitingWork, runLeasedWork, updateLeased } from '#app/server/jobs/leased-work.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { loadBallotOptions, type PlacedRound, type RoundRow, selectPlacedRounds } from '../budgets.policy.server.ts'
import { countElectionByStep } from '../counting/count.ts'
import type { Outcome } from '../counting/election.ts'
import type { CountRow } from './budget-counts.server.ts'
import {
  countBallots,
  describePotResult,
  loadElections,
  lockForCount,
  type PotResult,
  requireCountable,
  storeResult,
} from './count-round.server.ts'

/** A count that took its worker down so often is not tried again. */
const MAX_ATTEMPTS = 3
const REPORT_EVERY_MS = 1000

/**
 * Makes the counts that were asked for on every site, one after the other. Run by a job.
 * @param countByStep counts a pot by a rule
 * @returns how many were finished
 */
export const makeCounts = (runtime: Runtime, countByStep = countElectionByStep): Promise<number> =>
  runLeasedWork(runtime, {
    table: budgetCounts,
    failure: 'a round could not be counted',
    start: () => ({ progress: 0, attempts: sql`${budgetCounts.attempts} + 1` }),
    giveUp: (ctx, tx, isDead) =>
      tx
        .update(budgetCounts)
        .set({ state: 'failed', finishedAt: ctx.now() })
        .where(and(eq(budgetCounts.siteId, ctx.site.id), isDead, gte(budgetCounts.attempts, MAX_ATTEMPTS))),
    make: (ctx, run) => makeCount(ctx, run, countByStep),
  })

/** Number of sites with a count waiting to be made. */
export const countWaitingCounts = (runtime: Runtime): Promise<number> => countWaitingWork(runtime, budgetCounts)

/** What a count rests on was changed while it was made: a batch of paper ballots was accepted, or an option withdrawn. */
class GroundChangedError extends Error {}

async function makeCount(ctx: Ctx, run: CountRow, countByStep: typeof countElectionByStep): Promise<void> {
  for (;;) {
    const { elections, ground } = await ctx.db.read(async (tx) => {
      const { round } = await loadRound(ctx, tx, run)
      return { elections: await loadElections(tx, round), ground: await describeGround(tx, round) }
    })
    const pots = await countPots(ctx, run, elections, countByStep)
    try {
      const done = { state: 'done', progress: 100, finishedAt: ctx.now() }
      return await updateLeased(ctx, budgetCounts, run, done, async (tx) => {
        const placed = await loadRound(ctx, tx, run)
        const round = await lockForCount(tx, placed.round)
        const before = await requireCountable(ctx, tx, round)
        if ((await describeGround(tx, round)) !== ground) throw new GroundChangedError()
        await storeResult(ctx, tx, placed, { before, pots, countedBy: run.createdBy })
      })
    } catch (error) {
      if (!(error instanceof GroundChangedError)) throw error
    }
  }
}

async function loadRound({ site }: Ctx, tx: Tx, { roundId }: CountRow): Promise<PlacedRound> {
  const [placed] = await selectPlacedRounds(tx).where(and(eq(budgetRounds.siteId, site.id), eq(budgetRounds.id, roundId)))
  if (!placed) throw new Error('The round is gone')
  return placed
}

/** Ballots cannot be told apart by when they were added, but none is ever taken away, and none is changed after voting. */
async function describeGround(tx: Tx, round: RoundRow): Promise<string> {
  const options = await loadBallotOptions(tx, round)
  const { ballots, paper } = await countBallots(tx, round)
  return JSON.stringify([round.threshold, ballots, paper, options.map(({ number, withdrawnAt }) => [number, withdrawnAt])])
}

/** Counts every pot by every rule. Others have their turn after each step, such as the heartbeat of the count. */
async function countPots(
  ctx: Ctx,
  run: CountRow,
  elections: Awaited<ReturnType<typeof loadElections>>,
  countByStep: typeof countElectionByStep,
): Promise<PotResult[]> {
  const all = elections.length * COUNTING_RULES.length
  let counted = 0
  let reportedAt = performance.now()
  const pots: PotResult[] = []
  for (const each of elections) {
    const outcomes: Partial<Record<CountingRule, Outcome>> = {}
    for (const rule of COUNTING_RULES) {
      const steps = countByStep(each.election, rule)
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) {
          outcomes[rule] = step.value
          break
        }
        if (performance.now() - reportedAt < REPORT_EVERY_MS) await yieldToOthers()
        else {
          // It also finds out whether the count was cancelled.
          await updateLeased(ctx, budgetCounts, run, {
            progress: Math.min(99, Math.floor(((counted + step.value) / all) * 100)),
            aliveAt: ctx.now(),
          })
          reportedAt = performance.now()
        }
      }
      counted += 1
    }
    pots.push(describePotResult(each, outcomes as PotResult['outcomes']))
  }
  return pots
}
