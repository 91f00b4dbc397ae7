import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { ANSWER_VISIBILITIES } from '#app/lib/vocabulary/contributions.ts'

export const officialResponseShape = resourceShape({
  type: 'official-responses',
  summary: 'What the organisation answers to a contribution. A new one follows the former, which stay readable',
  operations: ['list', 'get', 'create'],
  can: ['update'],
  attributes: {
    text: translated({ max: 5000, create: 'optional' }),
    /** The name of the team that answers. */
    team: translated({ max: 120, create: 'optional' }),
    /** `private`: only the person who asked can read it. For questions. */
    visibility: attribute(v.picklist(ANSWER_VISIBILITIES), { create: 'optional' }),
    version: attribute(v.pipe(v.number(), v.integer())),
    createdAt: attribute(timestampSchema),
  },
  relationships: {
    contribution: toOne('contributions', { create: 'required', nullable: false }),
    status: toOne('contribution-statuses', { create: 'required', nullable: false }),
  },
  filters: { contribution: filter.id() },
  sorts: ['version'],
  defaultSort: '-version',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'official-responses': typeof officialResponseShape
  }
}
