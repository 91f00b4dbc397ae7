import { AppError } from '#app/lib/app-error.ts'
import { implementResource, type ListResult } from '#app/server/api/implement.ts'
import {
  type CountedList,
  createEligibilityList,
  deleteEligibilityList,
  listEligibilityLists,
  loadEligibilityLists,
  mayEditLists,
  updateEligibilityList,
} from './eligibility-lists.server.ts'
import { eligibilityListShape, verificationShape } from './verifications.api.schema.ts'
import type { VerificationRow } from './held-verifications.server.ts'
import { confirmInPerson, endVerification, listVerifications, loadVerifications, verifyByList } from './verifications.server.ts'

export const eligibilityListResource = implementResource(eligibilityListShape, {
  load: (ctx, ids): Promise<CountedList[]> => loadEligibilityLists(ctx, ids),
  list: listEligibilityLists,
  can: (ctx) => ({ update: mayEditLists(ctx) }),
  lockVersion: ({ lockVersion }) => lockVersion,
  attributes: ({ name, level, fields, validUntil, entries, verified }, _ctx, can) => ({
    name,
    level,
    fields,
    validUntil,
    ...(can.update && { entries, verified }),
  }),
  create: createEligibilityList,
  update: (ctx, row, input, lock) => updateEligibilityList(ctx, row, input, lock.version),
  remove: (ctx, row) => deleteEligibilityList(ctx, row),
})

/** `secret`: only in the response that verifies a person without an account. */
type ToldVerification = VerificationRow & { secret?: string }

export const verificationResource = implementResource(verificationShape, {
  load: (ctx, ids): Promise<ToldVerification[]> => loadVerifications(ctx, ids),
  list: (ctx, query): Promise<ListResult<ToldVerification>> => listVerifications(ctx, query),
  attributes: ({ method, level, validUntil, createdAt, secret }) => ({ method, level, validUntil, createdAt, ...(secret && { secret }) }),
  relationships: {
    list: { id: (row) => row.listId, alwaysVisible: true },
    user: { id: (row) => row.userId },
  },
  creators: 'anyone',
  changers: 'signed-in',
  create: async (ctx, { list, user, level, validUntil, fields }) => {
    if (user) return confirmInPerson(ctx, { userId: user, level, validUntil })
    if (!list) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/list' }] })
    const { row, secret } = await verifyByList(ctx, { listId: list, fields: fields ?? {} })
    return { ...row, ...(secret && { secret }) }
  },
  remove: (ctx, row) => endVerification(ctx, row),
})
