import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { implementResource, type ListResult } from '#app/server/api/implement.ts'
import {
  type CodeBatch,
  createCodeBatch,
  deleteCodeBatch,
  listCodeBatches,
  loadCodeBatches,
  updateCodeBatch,
} from './code-batches.server.ts'
import {
  type CountedList,
  createEligibilityList,
  deleteEligibilityList,
  listEligibilityLists,
  loadEligibilityLists,
  updateEligibilityList,
} from './eligibility-lists.server.ts'
import { listPostcodeSettings, updatePostcodeSettings } from './postcode-settings.server.ts'
import {
  codeBatchShape,
  eligibilityListShape,
  postcodeSettingShape,
  verificationShape,
  verificationTextShape,
} from './verifications.api.schema.ts'
import type { VerificationRow } from './held-verifications.server.ts'
import type { NewVerification } from './store-verification.server.ts'
import { verifyByCode } from './verify-by-code.server.ts'
import { verifyByPostcode } from './verify-by-postcode.server.ts'
import { type SentText, sendVerificationText, verifyByText } from './verify-by-text.server.ts'
import { confirmInPerson, endVerification, listVerifications, loadVerifications, verifyByList } from './verifications.server.ts'

export const eligibilityListResource = implementResource(eligibilityListShape, {
  load: (ctx, ids): Promise<CountedList[]> => loadEligibilityLists(ctx, ids),
  list: listEligibilityLists,
  can: ({ viewer }) => ({ update: checkPermission(viewer, 'eligibility-lists.edit').ok }),
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

export const codeBatchResource = implementResource(codeBatchShape, {
  load: (ctx, ids): Promise<CodeBatch[]> => loadCodeBatches(ctx, ids),
  list: listCodeBatches,
  attributes: ({ name, level, validUntil, endedAt, total, used, createdAt, made }) => ({
    name,
    level,
    validUntil,
    total,
    used,
    createdAt,
    isEnded: endedAt !== null,
    ...made,
  }),
  create: createCodeBatch,
  update: (ctx, row, input) => updateCodeBatch(ctx, row, input),
  remove: (ctx, row) => deleteCodeBatch(ctx, row),
})

export const verificationTextResource = implementResource(verificationTextShape, {
  attributes: ({ expiresAt }: SentText) => ({ expiresAt }),
  creators: 'anyone',
  create: (ctx, { phone }) => sendVerificationText(ctx, { phone }),
})

export const postcodeSettingResource = implementResource(postcodeSettingShape, {
  load: async (ctx, ids) => (await listPostcodeSettings(ctx)).filter(({ id }) => ids.includes(id)),
  list: async (ctx) => {
    requirePermission(ctx, 'eligibility-lists.see')
    const rows = await listPostcodeSettings(ctx)
    return { rows, total: rows.length }
  },
  lockVersion: ({ lockVersion }) => lockVersion,
  attributes: ({ postcodes, usesAreas }) => ({ postcodes, usesAreas }),
  update: (ctx, _row, changes, lock) => updatePostcodeSettings(ctx, changes, lock.version),
})

/** `secret`: only in the response that verifies a person without an account. */
type ToldVerification = VerificationRow & { secret?: string }
const tellSecret = ({ row, secret }: NewVerification): ToldVerification => ({ ...row, ...(secret && { secret }) })

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
  create: async (ctx, { list, user, level, validUntil, fields, code, text, postcode }) => {
    if (user) return confirmInPerson(ctx, { userId: user, level, validUntil })
    if (text) return tellSecret(await verifyByText(ctx, { textId: text, code: code ?? '' }))
    if (postcode !== undefined) return tellSecret(await verifyByPostcode(ctx, { postcode }))
    if (code !== undefined) return tellSecret(await verifyByCode(ctx, { code }))
    if (!list) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/list' }] })
    return tellSecret(await verifyByList(ctx, { listId: list, fields: fields ?? {} }))
  },
  remove: (ctx, row) => endVerification(ctx, row),
})
