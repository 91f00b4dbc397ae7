import * as v from 'valibot'
import { attribute, resourceShape, translated } from '#app/lib/api-client/resource-shape.ts'
import { MAX_AREAS } from './areas.schema.ts'
import { MAX_OUTLINE_CORNERS } from './outlines.ts'

const ringSchema = v.pipe(v.array(v.strictTuple([v.number(), v.number()])), v.maxLength(MAX_OUTLINE_CORNERS))
const MAX_RINGS = 1000
const polygonSchema = v.pipe(v.array(ringSchema), v.maxLength(MAX_RINGS))

/** GeoJSON (RFC 7946), in degrees of WGS 84. */
const outlineSchema = v.variant('type', [
  v.strictObject({ type: v.literal('Polygon'), coordinates: polygonSchema }),
  v.strictObject({ type: v.literal('MultiPolygon'), coordinates: v.pipe(v.array(polygonSchema), v.maxLength(MAX_RINGS)) }),
])

/** Areas of the site, such as its wards, with their outlines. Those of a dataset are changed there. */
export const areaOutlineShape = resourceShape({
  type: 'area-outlines',
  summary: 'Areas of the site with their outlines, to be changed by hand',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  // Each corner of an outline is a list of two numbers.
  body: { bytes: 1_000_000, values: 4 * MAX_OUTLINE_CORNERS },
  attributes: {
    name: translated({ max: 120, create: 'required', update: true }),
    slug: attribute(v.string()),
    /** What its source calls it, such as the code of a ward; empty if it has none. */
    key: attribute(v.pipe(v.string(), v.trim(), v.maxLength(120)), { create: 'optional', update: true }),
    outline: attribute(outlineSchema, { create: 'required', update: true }),
    /** On no map, and kept for the projects, people and campaigns that use it. */
    setAside: attribute(v.boolean(), { update: true }),
    /** It comes from a dataset, which would undo changes. */
    fromDataset: attribute(v.boolean()),
  },
  page: { size: 50, max: MAX_AREAS },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'area-outlines': typeof areaOutlineShape
  }
}
