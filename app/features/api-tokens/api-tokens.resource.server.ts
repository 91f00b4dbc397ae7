import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { apiTokenShape } from './api-tokens.api.schema.ts'
import { createApiToken, listApiTokens, loadApiTokensById, readTokenState, revokeApiToken, type TokenRow } from './api-tokens.server.ts'

export const apiTokenResource = implementResource(apiTokenShape, {
  load: loadApiTokensById,
  list: (ctx, { page }) => listApiTokens(ctx, page),
  can: ({ viewer, now }, row: TokenRow) => ({
    revoke: checkPermission(viewer, 'site.edit').ok && readTokenState(row, now()) === 'active',
  }),
  attributes: ({ name, scopes, expiresAt, token, maker, createdAt, lastUsedAt, revokedAt }, { now }) => ({
    name,
    scopes,
    expiresAt,
    token,
    state: readTokenState({ expiresAt, revokedAt }, now()),
    maker,
    createdAt,
    lastUsedAt,
  }),
  create: (ctx, { name, scopes, expiresAt }) => createApiToken(ctx, { name, scopes, expiresAt }),
  remove: revokeApiToken,
})
