import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { LINKED_SUBJECTS } from './draft.schema.ts'

/** Links that show a draft to somebody without an account, until they expire or are revoked. DELETE revokes one. */
export const draftLinkShape = resourceShape({
  type: 'draft-links',
  summary: 'Signed links that show a draft to someone without an account, until they expire or are revoked',
  operations: ['list', 'get', 'create', 'remove'],
  attributes: {
    subject: attribute(v.picklist(LINKED_SUBJECTS), { create: 'required' }),
    /** Who it is for. */
    note: attribute(v.pipe(v.string(), v.trim(), v.maxLength(120)), { create: 'optional' }),
    /** At most 60 days ahead. */
    expiresAt: attribute(timestampSchema, { create: 'required' }),
    createdAt: attribute(timestampSchema),
    lastUsedAt: attribute(v.nullable(timestampSchema)),
    author: attribute(v.nullable(v.string())),
    /** Its signed path: `/live-preview/home?link=…`, `/projects/{slug}?preview=…`. */
    path: attribute(v.string()),
  },
  relationships: { hub: toOne('hubs', { create: 'optional' }), project: toOne('projects', { create: 'optional' }) },
  filters: { subject: filter.choices(LINKED_SUBJECTS), hub: filter.id(), project: filter.id(), ofSite: filter.flag() },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'draft-links': typeof draftLinkShape
  }
}
