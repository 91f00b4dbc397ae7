import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { EXPORT_FORMATS, EXPORT_STATES } from './export.schema.ts'

/** An export of a survey's responses, made in the background. DELETE cancels it or removes the file. It expires after a week. */
export const exportShape = resourceShape({
  type: 'exports',
  summary: 'Exports of responses, made in the background. DELETE cancels or deletes one',
  operations: ['list', 'get', 'create', 'remove'],
  attributes: {
    format: attribute(v.picklist(EXPORT_FORMATS), { create: 'required' }),
    /** Include names and email addresses of people who answered with an account. */
    personal: attribute(v.boolean(), { create: 'optional' }),
    /** Why personal data is asked for, in up to 400 characters: required with `personal`. The audit trail keeps it. A token that leaves it out gives its name. */
    reason: attribute(v.string(), { read: false, create: 'optional' }),
    state: attribute(v.picklist(EXPORT_STATES)),
    /** Number of responses when it was requested, and how many are in the file so far. */
    total: attribute(v.number()),
    done: attribute(v.number()),
    bytes: attribute(v.nullable(v.number())),
    createdAt: attribute(timestampSchema),
    finishedAt: attribute(v.nullable(timestampSchema)),
    expiresAt: attribute(timestampSchema),
    /** Download path once it is done, for signed-in users. With personal data, for others than who asked for it, add `?reason=`. */
    address: attribute(v.string()),
  },
  relationships: { survey: toOne('surveys', { create: 'required', nullable: false }) },
  filters: { survey: filter.id() },
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    exports: typeof exportShape
  }
}
