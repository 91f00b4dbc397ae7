import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { MAX_SOURCE_KEY } from '../heard.schema.ts'
import { SAMPLE_SIZE } from './coding-samples.schema.ts'

/** The second codes are given on the screen for reading, since whoever gives them must not see the first. */
export const codingSampleShape = resourceShape({
  type: 'coding-samples',
  summary: 'Texts that a second person codes without seeing the first codes. POST draws them at random for you, from what others have read',
  operations: ['list', 'get', 'create'],
  attributes: {
    /** Of the texts, as in `theme-suggestion-runs`. */
    source: attribute(v.pipe(v.string(), v.maxLength(MAX_SOURCE_KEY)), { create: 'required' }),
    /** Of the texts; all without one. */
    language: attribute(v.nullable(contentLanguageSchema), { create: 'optional' }),
    /** How many texts were asked for. */
    size: attribute(v.pipe(v.number(), v.integer(), v.minValue(SAMPLE_SIZE.min), v.maxValue(SAMPLE_SIZE.max)), { create: 'optional' }),
    /** The texts are the first ones in the order of the MD5 hash of this, their id and the id of the question. */
    seed: attribute(v.string()),
    /** How many texts it was drawn from. */
    drawnFrom: attribute(v.number()),
    /** How many of its texts are left: one that was withdrawn or changed drops out. */
    texts: attribute(v.number()),
    /** How many of them the second person has read. */
    read: attribute(v.number()),
    createdAt: attribute(timestampSchema),
    /**
     * Krippendorff's alpha over all themes (nominal; each theme is given to a text or not), of all texts of this source that two people coded.
     * Null for fewer than 50 of them.
     */
    alpha: attribute(v.nullable(v.number())),
    /** Number of texts of this source that two people coded. */
    textsOfTwo: attribute(v.number()),
  },
  relationships: { project: toOne('projects', { create: 'required', nullable: false }) },
  filters: { project: filter.id(), source: filter.text(MAX_SOURCE_KEY) },
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'coding-samples': typeof codingSampleShape
  }
}
