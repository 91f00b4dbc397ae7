import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { EVIDENCE_SOURCES, EVIDENCE_STATES, SUGGESTION_RUN_STATES } from '#app/lib/vocabulary/heard.ts'
import { MAX_SOURCE_KEY, MAX_SUGGESTED_PASSAGES, MAX_THEME } from '../heard.schema.ts'

/** Made in the background on the server; no text leaves it. A run that is done takes the place of the one before it. */
export const themeSuggestionRunShape = resourceShape({
  type: 'theme-suggestion-runs',
  summary: 'Suggestions of themes for the texts of one question or activity, made in the background. DELETE cancels or deletes them',
  operations: ['list', 'get', 'create', 'remove'],
  attributes: {
    /** `question:<survey>:<question>`, or `activity:<activity>` for its contributions and `replies:<activity>` for replies to them. */
    source: attribute(v.pipe(v.string(), v.maxLength(MAX_SOURCE_KEY)), { create: 'required' }),
    /** Of the texts. */
    language: attribute(contentLanguageSchema, { create: 'required' }),
    state: attribute(v.picklist(SUGGESTION_RUN_STATES)),
    /** In percent. */
    progress: attribute(v.number()),
    /** Number of texts that were read; null before it is done. */
    texts: attribute(v.nullable(v.number())),
    /** Number of them that belong to a suggestion. */
    textsAlike: attribute(v.nullable(v.number())),
    createdAt: attribute(timestampSchema),
    finishedAt: attribute(v.nullable(timestampSchema)),
  },
  relationships: { project: toOne('projects', { create: 'required', nullable: false }) },
  filters: { project: filter.id(), source: filter.text(MAX_SOURCE_KEY), language: filter.choice(CONTENT_LANGUAGES) },
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
})

/**
 * A suggestion counts for nothing. To confirm it, name the passages that say it, and a theme or the title of a new one: only these passages then
 * are evidence. `suggested` again undoes either decision.
 */
export const themeSuggestionShape = resourceShape({
  type: 'theme-suggestions',
  summary: 'Suggested themes: texts that share words',
  operations: ['list', 'get', 'update'],
  can: ['update'],
  attributes: {
    /** The strongest words and phrases of the texts, in their language. */
    label: attribute(v.array(v.string())),
    language: attribute(contentLanguageSchema),
    position: attribute(v.number()),
    /** Number of texts that are alike. */
    texts: attribute(v.number()),
    /** Number of passages that are listed: those of texts that were withdrawn or changed since are gone. */
    passages: attribute(v.number()),
    state: attribute(v.picklist(EVIDENCE_STATES), { update: true }),
    /** Of a new theme, in the language of the texts. The theme of this name is taken if there is one. */
    title: attribute(v.pipe(v.string(), v.trim(), v.maxLength(MAX_THEME.title)), { read: false, update: true }),
    /** Ids of `theme-suggestion-passages` that are confirmed. */
    confirmedPassages: attribute(v.pipe(v.array(idSchema), v.maxLength(MAX_SUGGESTED_PASSAGES)), { read: false, update: true }),
  },
  relationships: {
    run: toOne('theme-suggestion-runs', { nullable: false }),
    /** That it became or joined. */
    theme: toOne('themes', { update: true }),
  },
  filters: { run: filter.id(), state: filter.choices(EVIDENCE_STATES) },
  sorts: ['position'],
  defaultSort: 'position',
})

export const themeSuggestionPassageShape = resourceShape({
  type: 'theme-suggestion-passages',
  summary: 'Passages that suggested themes rest on, the clearest first',
  operations: ['list', 'get'],
  attributes: {
    source: attribute(v.picklist(EVIDENCE_SOURCES)),
    /** Of the response, contribution or reply. */
    sourceId: attribute(idSchema),
    /** Of the survey; empty for contributions and replies. */
    question: attribute(v.string()),
    version: attribute(v.number()),
    /** In characters from the beginning of the text. */
    start: attribute(v.number()),
    words: attribute(v.string()),
    /** The passage is the whole text. */
    isWhole: attribute(v.boolean()),
  },
  relationships: { suggestion: toOne('theme-suggestions', { nullable: false }) },
  filters: { suggestion: filter.id() },
  sorts: ['position'],
  defaultSort: 'position',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'theme-suggestion-runs': typeof themeSuggestionRunShape
    'theme-suggestions': typeof themeSuggestionShape
    'theme-suggestion-passages': typeof themeSuggestionPassageShape
  }
}
