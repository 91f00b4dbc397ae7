import * as v from 'valibot'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { languageSchema } from '#app/lib/language-schema.ts'

export const MAX_ENTRIES = 500
export const MAX_ENTRY_LENGTH = 60

export const jargonListShape = resourceShape({
  type: 'jargon-lists',
  summary: 'Words that the team avoids in public texts, one list for each language of the site; only for people with a role',
  operations: ['list', 'get', 'update'],
  can: ['update'],
  locked: true,
  attributes: {
    language: attribute(languageSchema),
    /** Words and phrases. Editors point them out in texts of this language, and publish them all the same. */
    entries: attribute(v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(2000)), { update: true }),
  },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'jargon-lists': typeof jargonListShape
  }
}
