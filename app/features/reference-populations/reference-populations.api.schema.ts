import * as v from 'valibot'
import { attribute, resourceShape, translated } from '#app/lib/api-client/resource-shape.ts'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { PROFILE_QUESTION_TYPES } from '#app/lib/vocabulary/profile.ts'
import { MAX_POPULATION_ROWS } from './reference-populations.schema.ts'

const nameSchema = v.pipe(v.string(), v.trim(), v.minLength(1, 'required'), v.maxLength(300))
const cellSchema = v.strictObject({
  category: nameSchema,
  option: v.pipe(v.string(), v.maxLength(80)),
  area: v.nullable(v.pipe(v.string(), v.maxLength(120))),
  people: v.pipe(v.number(), v.integer(), v.minValue(0, 'out-of-range'), v.maxValue(10_000_000_000)),
})

export const referencePopulationShape = resourceShape({
  type: 'reference-populations',
  summary:
    'Who lives here, by the categories of a census: one for each question about people with one answer; the id is the question’s. For people who see answers',
  operations: ['list', 'get', 'update'],
  can: ['update'],
  locked: true,
  attributes: {
    /** The key of the question. */
    question: attribute(v.string()),
    kind: attribute(v.picklist(PROFILE_QUESTION_TYPES)),
    label: translated({ max: 300 }),
    /** Where the table is from, and under which licence; empty without a table. */
    source: attribute(v.pipe(v.string(), v.trim(), v.maxLength(300)), { update: true }),
    year: attribute(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1900, 'out-of-range'), v.maxValue(2200, 'out-of-range'))), {
      update: true,
    }),
    licence: attribute(v.pipe(v.string(), v.trim(), v.maxLength(300)), { update: true }),
    /** All rows of the table. They replace those before; without any, nothing is compared. */
    cells: attribute(v.pipe(v.array(cellSchema), v.maxLength(MAX_POPULATION_ROWS)), { update: true }),
    /** What categories can be mapped to, and the areas that rows can be about. */
    options: attribute(v.array(v.object({ id: v.string(), label: createTranslatedSchema(300) }))),
    areas: attribute(v.array(v.object({ slug: v.string(), name: v.string() }))),
  },
  page: { size: 50, max: 50 },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'reference-populations': typeof referencePopulationShape
  }
}
