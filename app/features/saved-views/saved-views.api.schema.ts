import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { MAX_VIEW_LENGTH, SAVED_TABLES } from './saved-views.schema.ts'

/** A person's own view of an administration table. Nobody else sees it. */
export const savedViewShape = resourceShape({
  type: 'saved-views',
  summary: 'Saved views of a table: search, filters, sort order and columns',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  attributes: {
    table: attribute(v.picklist(SAVED_TABLES), { create: 'required' }),
    name: attribute(v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(80)), { create: 'required', update: true }),
    /** The query of the table's address, without a question mark: `q=bench&sort=title`. */
    query: attribute(v.pipe(v.string(), v.maxLength(MAX_VIEW_LENGTH)), { create: 'required', update: true }),
    createdAt: attribute(timestampSchema),
  },
  /** The survey whose responses are listed; only for `responses`. */
  relationships: { survey: toOne('surveys', { create: 'optional' }) },
  filters: { table: filter.choice(SAVED_TABLES), survey: filter.id() },
  sorts: ['name'],
  defaultSort: 'name',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'saved-views': typeof savedViewShape
  }
}
