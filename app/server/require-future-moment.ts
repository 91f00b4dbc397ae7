import { AppError } from '../lib/app-error.ts'
import type { Ctx } from './context.ts'

/** People take a while to review a form after choosing a time. */
const GRACE_MS = 5 * 60_000

/**
 * Refuses a scheduled time that has already passed, which would otherwise take effect at once.
 * @throws {AppError} `invalid` at `pointer`
 */
export function requireFutureMoment(ctx: Pick<Ctx, 'now'>, at: Date | null | undefined, pointer: string): void {
  if (at && at.getTime() < ctx.now().getTime() - GRACE_MS) throw new AppError('invalid', { faults: [{ code: 'moment-passed', pointer }] })
}
