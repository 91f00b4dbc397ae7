import type { AppError } from '../../lib/app-error.ts'
import type { Ctx } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { lockForTransaction } from '../db/transaction-lock.ts'
import { countAttempts, createAttempt, type Limit } from './limits.ts'

/** Counts what is received against limits. @throws {AppError} `too-many-requests`; what is refused so counts too */
export type Charge = (limits: readonly Limit[]) => Promise<void>

/**
 * Receives something under an id that its sender chose. A second request with the same id waits, and then finds what was stored: it is stored
 * once, counts once against the limits, and both get the same result.
 * @param work returns what is stored under the id, or calls `charge` and stores it. `charge` comes before the first write.
 */
export async function receiveOnce<T>(ctx: Ctx, id: string, work: (tx: Tx, charge: Charge) => Promise<T>): Promise<T> {
  const outcome = await ctx.db.tx(async (tx): Promise<{ received: T } | { refusal: AppError }> => {
    await lockForTransaction(tx, ctx.site.id, `sending ${id}`)
    let refusal: AppError | undefined
    const charge: Charge = async (limits) => {
      ;[refusal] = await countAttempts(tx, ctx.site.id, [createAttempt(ctx, limits)])
      if (refusal) throw refusal
    }
    try {
      return { received: await work(tx, charge) }
    } catch (error) {
      // Committed all the same, so that the attempt counts.
      if (refusal && error === refusal) return { refusal }
      throw error
    }
  })
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.received
}
