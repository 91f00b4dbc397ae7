import { isAppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { limitGuesses, limitGuessesByAddress } from '#app/server/limits/guesses.ts'
import { SignInFault } from './sign-in-fault.server.ts'

/** An outage is not the sender's fault: they may try again at once. */
const isWrong = (error: unknown): boolean => error instanceof SignInFault && error.code !== 'unreachable'

/**
 * Counts what a provider's sign-ins or logouts fail in, by address: those that succeed do not count, so a whole office behind one address
 * signs in.
 * @throws {SignInFault} `too-many`, and as `work`
 */
export async function limitSignIns<Result>(ctx: Ctx, work: () => Promise<Result>): Promise<Result> {
  try {
    return await limitGuesses(ctx, limitGuessesByAddress(ctx, 'sign-in/provider'), work, isWrong)
  } catch (error) {
    throw isAppError(error, 'too-many-requests') ? new SignInFault('too-many', 'from one network', { cause: error }) : error
  }
}
