import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'

export const categoryShape = resourceShape({
  type: 'categories',
  summary: 'Categories of an activity, in order',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  /** The activity's id and the category's code, with a dot between them. */
  id: v.pipe(v.string(), v.regex(/^[0-9a-f-]{36}\.[a-z0-9-]{1,40}$/)),
  locked: true,
  can: ['update'],
  attributes: {
    title: translated({ max: 80, create: 'required', update: true }),
    /** As contributions name it. */
    code: attribute(v.string()),
    position: attribute(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)), { create: 'optional', update: true }),
    /** No longer offered; contributions that have it keep it. Deleting a category in use archives it. */
    archived: attribute(v.boolean(), { update: true }),
  },
  relationships: { activity: toOne('activities', { create: 'required', nullable: false }) },
  filters: { activity: filter.id() },
  sorts: ['position'],
  defaultSort: 'position',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    categories: typeof categoryShape
  }
}
