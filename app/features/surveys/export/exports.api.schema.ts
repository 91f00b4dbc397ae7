import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { EXPORT_FORMATS, EXPORT_STATES } from './export.schema.ts'

/** A file of a survey's responses, made in the background. DELETE cancels it, or removes the file. It expires after a week. */
export const exportShape = resourceShape({
  type: 'exports',
  summary: 'Files of responses, made in the background for those who may see them: deleting one cancels it',
  operations: ['list', 'get', 'create', 'remove'],
  attributes: {
    format: attribute(v.picklist(EXPORT_FORMATS), { create: 'required' }),
    /** With the names and addresses of those who answered with an account. */
    personal: attribute(v.boolean(), { create: 'optional' }),
    state: attribute(v.picklist(EXPORT_STATES)),
    /** Responses there were when it was asked for, and how many of them are in the file by now. */
    total: attribute(v.number()),
    done: attribute(v.number()),
    bytes: attribute(v.nullable(v.number())),
    createdAt: attribute(timestampSchema),
    finishedAt: attribute(v.nullable(timestampSchema)),
    expiresAt: attribute(timestampSchema),
    /** Where it is downloaded once it is done, by those who are signed in. */
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
