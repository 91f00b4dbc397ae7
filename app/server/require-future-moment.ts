import { AppError } from '../lib/app-error.ts'
import type { Ctx } from './context.ts'

/** A form is looked over for so long after its moment was chosen. */
const GRACE_MS = 5 * 60_000

/** What was to happen at a moment does not happen at once because that moment is over. @throws {AppError} `invalid` at `pointer` */
export function requireFutureMoment(ctx: Pick<Ctx, 'now'>, at: Date | null | undefined, pointer: string): void {
  if (at && at.getTime() < ctx.now().getTime() - GRACE_MS) throw new AppError('invalid', { faults: [{ code: 'moment-passed', pointer }] })
}
