import * as v from 'valibot'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { languageSchema } from '#app/lib/language-schema.ts'

export const MAX_ENTRIES = 500
export const MAX_ENTRY_LENGTH = 60

const entriesSchema = v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(2000))

export const wordListShape = resourceShape({
  type: 'moderation-word-lists',
  summary: 'Words that moderators look at, one list for each language of the site; only for those who change the rules',
  operations: ['list', 'get', 'update'],
  locked: true,
  attributes: {
    language: attribute(languageSchema),
    /** Words and phrases. A text with one waits for a moderator. */
    held: attribute(entriesSchema, { update: true }),
    /** A text with one is published as usual, and a moderator looks at it. */
    flagged: attribute(entriesSchema, { update: true }),
  },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'moderation-word-lists': typeof wordListShape
  }
}
