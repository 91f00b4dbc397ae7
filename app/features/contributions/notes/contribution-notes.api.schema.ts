import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'

const bodySchema = v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(5000))

export const contributionNoteShape = resourceShape({
  type: 'contribution-notes',
  summary: 'What the team notes about a contribution for itself. Only those who may moderate it read it',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    body: attribute(bodySchema, { create: 'required', update: true }),
    /** Null: the account is gone. */
    authorName: attribute(v.nullable(v.string())),
    createdAt: attribute(timestampSchema),
    editedAt: attribute(v.nullable(timestampSchema)),
  },
  relationships: { contribution: toOne('contributions', { create: 'required', nullable: false }) },
  filters: { contribution: filter.id() },
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'contribution-notes': typeof contributionNoteShape
  }
}
