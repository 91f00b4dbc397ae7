import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { TRANSLATABLE_TYPES } from '#app/lib/vocabulary/contributions.ts'

const textsSchema = v.record(v.pipe(v.string(), v.maxLength(60)), v.string())

export const contributionTranslationShape = resourceShape({
  type: 'contribution-translations',
  summary:
    'Translations of contributions, replies, official answers and what they said before by the site’s translation service, kept for all readers. Creating one asks the service, unless the text was translated already; a text that changes loses its translations',
  operations: ['list', 'get', 'create', 'update'],
  locked: true,
  can: ['update'],
  attributes: {
    /** What is translated: the type and the id of the resource. */
    sourceType: attribute(v.picklist(TRANSLATABLE_TYPES), { create: 'required' }),
    sourceId: attribute(idSchema, { create: 'required' }),
    /** Into which it is translated. */
    language: attribute(contentLanguageSchema, { create: 'required' }),
    sourceLanguage: attribute(contentLanguageSchema),
    /** What is translated, by its parts: `title`, `body` and `fields.<id>` for what was written as the answer to an extra question. */
    source: attribute(v.record(v.string(), v.string())),
    /** The translation of each part. Changing them corrects the translation, which is then no longer labelled as a machine’s. */
    texts: attribute(textsSchema, { update: true }),
    /** The service that translated it. */
    service: attribute(v.string()),
    translatedAt: attribute(timestampSchema),
    correctedAt: attribute(v.nullable(timestampSchema)),
    /** The name of the team that corrected it; the site’s if empty. */
    team: attribute(v.pipe(v.string(), v.trim(), v.maxLength(120)), { update: true }),
  },
  relationships: { contribution: toOne('contributions', { nullable: false }) },
  filters: { contribution: filter.id(), language: filter.choices(CONTENT_LANGUAGES) },
  sorts: ['translatedAt'],
  defaultSort: 'translatedAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'contribution-translations': typeof contributionTranslationShape
  }
}
