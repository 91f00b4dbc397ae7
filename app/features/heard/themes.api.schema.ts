import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { EVIDENCE_SOURCES, EVIDENCE_STATES, STANCES } from '#app/lib/vocabulary/heard.ts'
import { MAX_QUOTE, MAX_THEME } from './heard.schema.ts'

const wholeSchema = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000))

export const themeShape = resourceShape({
  type: 'themes',
  summary: 'Themes that people raised in a project',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    title: translated({ max: MAX_THEME.title, create: 'required', update: true }),
    description: translated({ max: MAX_THEME.description, create: 'optional', update: true }),
    stance: attribute(v.picklist(STANCES), { create: 'optional', update: true }),
    /** Its place in the list, and the number key that codes to it. */
    position: attribute(wholeSchema, { create: 'optional', update: true }),
    /** People whose confirmed passages it has, with those of themes that were merged into it. */
    people: attribute(v.number()),
    passages: attribute(v.number()),
  },
  relationships: {
    project: toOne('projects', { create: 'required', nullable: false }),
    parent: toOne('themes', { create: 'optional', update: true }),
    /** Its passages count there. Null again undoes the merge. */
    mergedInto: toOne('themes', { update: true }),
  },
  filters: { project: filter.id() },
  sorts: ['position'],
  defaultSort: 'position',
})

/** Passages that themes rest on. Those of an answer that was withdrawn are gone. */
export const themeEvidenceShape = resourceShape({
  type: 'theme-evidence',
  summary: 'Passages of what people wrote, coded to a theme',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  can: ['update'],
  attributes: {
    source: attribute(v.picklist(EVIDENCE_SOURCES), { create: 'required' }),
    /** Of the response, contribution or reply. */
    sourceId: attribute(idSchema, { create: 'required' }),
    /** Of the survey; empty for contributions and replies. */
    question: attribute(v.pipe(v.string(), v.maxLength(40)), { create: 'optional' }),
    /** Of the survey for a response, else of the text itself: the present one unless it is given. */
    version: attribute(wholeSchema, { create: 'optional' }),
    /** In characters from the beginning of the text. */
    start: attribute(wholeSchema, { create: 'optional' }),
    /** The passage, as it is in that version; without one, the whole text is meant. */
    quote: attribute(v.pipe(v.string(), v.maxLength(MAX_QUOTE)), { create: 'optional' }),
    state: attribute(v.picklist(EVIDENCE_STATES), { create: 'optional', update: true }),
    /** May be quoted in public, with personal data masked. */
    isQuoted: attribute(v.boolean(), { create: 'optional', update: true }),
  },
  relationships: { theme: toOne('themes', { create: 'required', update: true, nullable: false }) },
  filters: { project: filter.id(), theme: filter.id(), state: filter.choices(EVIDENCE_STATES) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    themes: typeof themeShape
    'theme-evidence': typeof themeEvidenceShape
  }
}
