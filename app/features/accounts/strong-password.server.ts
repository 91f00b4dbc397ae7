import { AppError, type Fault } from '#app/lib/app-error.ts'
import { isBreachedPassword } from '#app/server/auth/breached-passwords.ts'
import { findPasswordFault } from '#app/server/auth/passwords.ts'
import type { Ctx } from '#app/server/context.ts'
import { listGuessableWords } from './account-realm.server.ts'

const buildPasswordFault = (fault: Omit<Fault, 'pointer'>) => new AppError('invalid', { faults: [{ ...fault, pointer: '/password' }] })

/** @throws {AppError} `invalid` at `/password` if it is short, easy to guess, or known from a breach */
export async function requireStrongPassword(ctx: Ctx, password: string, person: { email: string; login: string }): Promise<void> {
  requireUnguessablePassword(ctx, password, person)
  await requireUnbreachedPassword(ctx, password)
}

/** @throws {AppError} `invalid` at `/password` */
export function requireUnguessablePassword(ctx: Ctx, password: string, person: { email: string; login: string }): void {
  const fault = findPasswordFault(password, listGuessableWords(ctx, person))
  if (fault) throw buildPasswordFault(fault)
}

/** Asks another service, so callers limit how often. @throws {AppError} `invalid` at `/password` */
export async function requireUnbreachedPassword(ctx: Ctx, password: string): Promise<void> {
  if (await isBreachedPassword(ctx, password)) throw buildPasswordFault({ code: 'common-password' })
}
