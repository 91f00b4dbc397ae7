import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { instantSchema } from '#app/lib/timestamp.ts'
import { STAGE_KINDS } from '#app/lib/vocabulary/contributions.ts'
import { STAGE_STATES } from '../record/contributions.schema.ts'

const positionSchema = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000))

export const projectStageShape = resourceShape({
  type: 'project-stages',
  summary: 'Stages of a project, which may overlap',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    title: translated({ max: 120, create: 'required', update: true }),
    summary: translated({ max: 600, create: 'optional', update: true }),
    kind: attribute(v.picklist(STAGE_KINDS), { create: 'optional', update: true }),
    startsAt: attribute(instantSchema, { create: 'required', update: true }),
    endsAt: attribute(v.nullable(instantSchema), { create: 'optional', update: true }),
    position: attribute(positionSchema, { create: 'optional', update: true }),
    state: attribute(v.picklist(STAGE_STATES)),
  },
  relationships: { project: toOne('projects', { create: 'required', nullable: false }) },
  filters: { project: filter.id() },
  sorts: ['position'],
  defaultSort: 'position',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'project-stages': typeof projectStageShape
  }
}
