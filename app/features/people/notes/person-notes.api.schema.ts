import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { NOTE_READERS } from '#app/lib/vocabulary/accounts.ts'

const bodySchema = v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(5000))

export const personNoteShape = resourceShape({
  type: 'person-notes',
  summary: 'What the team notes about a person. People managers read it, and the person gets it with their own data',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    body: attribute(bodySchema, { create: 'required', update: true }),
    /** Who reads it besides its author and the person. All who manage the person, unless it says otherwise. */
    readBy: attribute(v.picklist(NOTE_READERS), { create: 'optional', update: true }),
    /** Null: the account is gone. */
    authorName: attribute(v.nullable(v.string())),
    createdAt: attribute(timestampSchema),
    editedAt: attribute(v.nullable(timestampSchema)),
  },
  relationships: { user: toOne('users', { create: 'required', nullable: false }) },
  filters: { user: filter.id() },
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'person-notes': typeof personNoteShape
  }
}
