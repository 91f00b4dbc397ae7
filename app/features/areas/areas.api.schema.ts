import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { suppressibleCountSchema } from '#app/lib/suppressible-count-schema.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { MAX_AREAS } from './areas.schema.ts'

export const areaShape = resourceShape({
  type: 'areas',
  summary: 'Areas of the site, such as its wards',
  operations: ['list'],
  attributes: { slug: attribute(v.string()), name: attribute(v.string()) },
  page: { size: MAX_AREAS, max: MAX_AREAS },
})

/** Areas missing from their source that still have projects or residents. DELETE removes one with everything assigned to it. */
export const lostAreaShape = resourceShape({
  type: 'lost-areas',
  summary: 'Areas of the site that are missing from their source',
  operations: ['list', 'get', 'remove'],
  attributes: {
    name: attribute(v.string()),
    projects: attribute(v.array(v.string())),
    people: attribute(v.number()),
    campaigns: attribute(v.array(v.string())),
  },
  page: { size: MAX_AREAS, max: MAX_AREAS },
})

/** The areas that a project lies in. Its id is the project's. */
export const projectPlacementShape = resourceShape({
  type: 'project-placements',
  summary: 'Areas that a project lies in',
  operations: ['get', 'update'],
  body: { bytes: 200_000 },
  attributes: {
    areas: attribute(v.pipe(v.array(idSchema), v.maxLength(MAX_AREAS)), { update: true }),
    /** Derived from the project's location on the map. */
    suggested: attribute(v.array(idSchema)),
    /** Those of `areas` that are missing from their source. */
    lost: attribute(v.array(v.strictObject({ id: idSchema, name: v.string() }))),
  },
})

/** Respondents per area, counting only those who said where they live; null if too few to publish. */
export const surveyAreaShape = resourceShape({
  type: 'survey-areas',
  summary: 'Areas that answers to a survey came from',
  operations: ['list'],
  id: v.pipe(v.string(), v.maxLength(90)),
  attributes: { name: attribute(v.string()), responses: attribute(suppressibleCountSchema) },
  filters: { survey: filter.id() },
  page: { size: MAX_AREAS, max: MAX_AREAS },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    areas: typeof areaShape
    'lost-areas': typeof lostAreaShape
    'project-placements': typeof projectPlacementShape
    'survey-areas': typeof surveyAreaShape
  }
}
