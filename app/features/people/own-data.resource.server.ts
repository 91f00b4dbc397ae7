import { accountDeletionShape, ownDataShape } from '#app/features/accounts/accounts.api.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { implementResource, implementSingleton } from '#app/server/api/implement.ts'
import { deleteOwnAccount, readOwnData } from './own-data.server.ts'
import { erasePerson } from './people.server.ts'

export const ownDataResource = implementSingleton(ownDataShape, {
  read: async (ctx) => ({ id: ctx.viewer.kind === 'user' ? ctx.viewer.id : '', sections: await readOwnData(ctx) }),
  attributes: ({ sections }) => ({ sections }),
})

export const accountDeletionResource = implementResource(accountDeletionShape, {
  creators: 'signed-in',
  create: async (ctx, { password, reason, user }) => {
    const createRequiredError = (name: string) => new AppError('invalid', { faults: [{ code: 'required', pointer: `/${name}` }] })
    if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
    if (user && user !== ctx.viewer.id) {
      if (reason === undefined) throw createRequiredError('reason')
      await erasePerson(ctx, { userId: user, reason })
    } else {
      if (password === undefined) throw createRequiredError('password')
      await deleteOwnAccount(ctx, { password })
    }
    return { id: createId(), deletedAt: ctx.now() }
  },
  attributes: ({ deletedAt }) => ({ deletedAt }),
  relationships: { user: { id: () => null } },
})
