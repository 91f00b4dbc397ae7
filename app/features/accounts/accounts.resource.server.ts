import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { implementResource, implementSingleton } from '#app/server/api/implement.ts'
import {
  currentUserShape,
  emailChangeShape,
  emailConfirmationShape,
  passwordChangeShape,
  passwordResetShape,
  sessionConfirmationShape,
  sessionShape,
} from './accounts.api.schema.ts'
import type { SessionView } from './accounts.schema.ts'
import { requestEmailChange } from './email-change.server.ts'
import { changePassword, requestPasswordReset, resetPassword } from './passwords.server.ts'
import { confirmEmail, resendConfirmation } from './registration.server.ts'
import { confirmIdentity } from './second-step/confirm-identity.server.ts'
import { endSession, listSessions, signIn } from './sessions.server.ts'

export const currentUserResource = implementSingleton(currentUserShape, {
  read: async ({ viewer }) => (viewer.kind === 'user' ? viewer : null),
  attributes: ({ id, email, login, roleName, type, lastSeenAt }) => ({
    user: { id, email, login, roleName, type, lastSeenAt: lastSeenAt?.toISOString() ?? null },
  }),
})

/** Includes the token only right after sign-in. */
interface SessionRow extends SessionView {
  token?: string
}

export const sessionResource = implementResource(sessionShape, {
  changers: 'anyone',
  load: async (ctx, ids): Promise<SessionRow[]> =>
    ctx.viewer.kind === 'visitor' ? [] : (await listSessions(ctx)).filter(({ id }) => ids.includes(id)),
  creators: 'anyone',
  create: async (ctx, input): Promise<SessionRow> => {
    const session = await signIn(ctx, input)
    const { id, token, createdAt, expiresAt } = session
    return { id, token, browser: null, system: null, current: true, createdAt, lastUsedAt: createdAt, expiresAt }
  },
  list: async (ctx, { page }) => {
    const rows: SessionRow[] = await listSessions(ctx)
    return { rows: rows.slice(page.offset, page.offset + page.limit), total: rows.length }
  },
  attributes: ({ token, browser, system, current, createdAt, lastUsedAt, expiresAt }) => ({
    ...(token === undefined ? {} : { token }),
    browser,
    system,
    current,
    createdAt,
    lastUsedAt,
    expiresAt,
  }),
  remove: (ctx, row) => endSession(ctx, row.id),
})

export const sessionConfirmationResource = implementResource(sessionConfirmationShape, {
  creators: 'signed-in',
  create: async (ctx, { password, code, passkey }) => {
    await confirmIdentity(ctx, { password, code, passkey })
    return { id: createId(), confirmedAt: ctx.now() }
  },
  attributes: ({ confirmedAt }) => ({ confirmedAt }),
})

export const passwordResetResource = implementResource(passwordResetShape, {
  creators: 'anyone',
  create: async (ctx, { email }) => {
    await requestPasswordReset(ctx, { email })
    return { id: createId(), email }
  },
  attributes: ({ email }) => ({ email }),
})

export const passwordChangeResource = implementResource(passwordChangeShape, {
  creators: 'anyone',
  create: async (ctx, { token, currentPassword, password }) => {
    if (token !== undefined && currentPassword !== undefined)
      throw new AppError('invalid', { faults: [{ code: 'unknown-attribute', pointer: '/currentPassword' }] })
    if (token !== undefined) await resetPassword(ctx, { token, password })
    else if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
    else if (currentPassword === undefined) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/currentPassword' }] })
    else await changePassword(ctx, { currentPassword, password })
    return { id: createId(), changedAt: ctx.now() }
  },
  attributes: ({ changedAt }) => ({ changedAt }),
})

export const emailChangeResource = implementResource(emailChangeShape, {
  creators: 'signed-in',
  create: async (ctx, { email, password }) => {
    await requestEmailChange(ctx, { email, password })
    return { id: createId(), email }
  },
  attributes: ({ email }) => ({ email }),
})

export const emailConfirmationResource = implementResource(emailConfirmationShape, {
  creators: 'anyone',
  create: async (ctx, { token }): Promise<{ id: string; confirmed: 'confirm-email' | 'change-email' | 'mailed' }> => {
    if (token !== undefined) return { id: createId(), confirmed: (await confirmEmail(ctx, token)).kind }
    await resendConfirmation(ctx)
    return { id: createId(), confirmed: 'mailed' }
  },
  attributes: ({ confirmed }) => ({ confirmed }),
})
