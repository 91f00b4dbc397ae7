import * as v from 'valibot'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { API_SCOPES } from '#app/lib/vocabulary/api-scopes.ts'

export const API_TOKEN_STATES = ['active', 'expired', 'revoked'] as const

export const apiTokenShape = resourceShape({
  type: 'api-tokens',
  summary: 'Tokens with which programs use the API, each within its scopes and until its end; deleting one revokes it',
  operations: ['list', 'get', 'create', 'remove'],
  can: ['revoke'],
  attributes: {
    name: attribute(v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(80)), { create: 'required' }),
    scopes: attribute(v.pipe(v.array(v.picklist(API_SCOPES)), v.minLength(1, 'required'), v.maxLength(API_SCOPES.length)), {
      create: 'required',
    }),
    /** At most a year ahead. */
    expiresAt: attribute(timestampSchema, { create: 'required' }),
    /** Returned only once, to the person who creates it: `x-api-token: Bearer <token>`. */
    token: attribute(v.string(), { read: 'sometimes' }),
    state: attribute(v.picklist(API_TOKEN_STATES)),
    maker: attribute(v.string()),
    createdAt: attribute(timestampSchema),
    lastUsedAt: attribute(v.nullable(timestampSchema)),
  },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'api-tokens': typeof apiTokenShape
  }
}
