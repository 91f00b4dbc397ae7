import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'

export const savedSectionShape = resourceShape({
  type: 'saved-sections',
  summary: 'Named sections of homepages, saved to be used again',
  operations: ['list', 'get', 'create', 'remove'],
  body: { bytes: 300_000 },
  attributes: {
    name: attribute(v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(80)), { create: 'required' }),
    /** Same format as a homepage revision. */
    content: attribute(v.record(v.string(), v.unknown()), { create: 'required' }),
    createdAt: attribute(timestampSchema),
  },
  relationships: { hub: toOne('hubs', { create: 'optional' }) },
  filters: { hub: filter.id(), ofSite: filter.flag() },
  sorts: ['name'],
  defaultSort: 'name',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'saved-sections': typeof savedSectionShape
  }
}
