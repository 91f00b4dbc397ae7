import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { MAX_THEME } from '#app/features/heard/heard.schema.ts'
import { cohortFilters } from '../surveys.api.schema.ts'

const MAX_AT_ONCE = 500
const tagSchema = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_THEME.title))
const questionIdSchema = v.pipe(v.string(), v.maxLength(40))

/** Filters for the written answers to a question. */
const searchFilters = {
  /** Contains this text, ignoring case. */
  q: filter.text(200),
  /** Contains this word, as `written-words` counts it. */
  word: filter.text(60),
  tag: filter.text(MAX_THEME.title),
  /** Without any tag. */
  untagged: filter.flag(),
  ...cohortFilters,
}

/** What people wrote in answer to one question: filter by survey and question. */
export const writtenAnswerShape = resourceShape({
  type: 'written-answers',
  summary: 'Written answers to a question of a survey',
  operations: ['list'],
  id: v.pipe(v.string(), v.maxLength(90)),
  attributes: {
    text: attribute(v.string()),
    language: attribute(contentLanguageSchema),
    submittedAt: attribute(timestampSchema),
    tags: attribute(v.array(v.string())),
  },
  filters: { survey: filter.id(), question: filter.text(40), ...searchFilters },
})

/** Words in the written answers to one question, with the number of people who used each. */
export const writtenWordShape = resourceShape({
  type: 'written-words',
  summary: 'The most frequent words in the written answers to a question',
  operations: ['list'],
  id: v.pipe(v.string(), v.maxLength(90)),
  attributes: { word: attribute(v.string()), answers: attribute(v.number()) },
  filters: { survey: filter.id(), question: filter.text(40), ...cohortFilters },
})

export const answerTagShape = resourceShape({
  type: 'answer-tags',
  summary: 'Tags on the written answers to a question',
  operations: ['list'],
  id: v.pipe(v.string(), v.maxLength(90)),
  attributes: { tag: attribute(v.string()), answers: attribute(v.number()) },
  filters: { survey: filter.id(), question: filter.text(40) },
})

/** Adds a tag to many answers at once, or removes it. */
export const answerTaggingShape = resourceShape({
  type: 'answer-taggings',
  summary: 'Adds a tag to written answers, or removes it',
  operations: ['create'],
  body: { bytes: 200_000 },
  attributes: {
    question: attribute(questionIdSchema, { create: 'required' }),
    tag: attribute(tagSchema, { create: 'required' }),
    /** Removes the tag instead of adding it. */
    remove: attribute(v.boolean(), { create: 'optional' }),
    /** Response ids. */
    answers: attribute(v.pipe(v.array(idSchema), v.maxLength(MAX_AT_ONCE)), { read: false, create: 'optional' }),
    /** Instead of ids: everything that matches a search, as in `written-answers`. */
    found: attribute(
      v.strictObject({
        q: v.optional(v.pipe(v.string(), v.maxLength(200))),
        word: v.optional(v.pipe(v.string(), v.maxLength(60))),
        tag: v.optional(tagSchema),
        untagged: v.optional(v.boolean()),
        language: v.optional(v.array(contentLanguageSchema)),
        version: v.optional(v.number()),
        source: v.optional(v.pipe(v.string(), v.maxLength(20))),
        from: v.optional(timestampSchema),
        to: v.optional(timestampSchema),
        answers: v.optional(v.pipe(v.string(), v.maxLength(500))),
      }),
      { read: false, create: 'optional' },
    ),
    /** Number of answers that were tagged or untagged. */
    changed: attribute(v.number()),
  },
  relationships: { survey: toOne('surveys', { create: 'required', nullable: false }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'answer-taggings': typeof answerTaggingShape
    'answer-tags': typeof answerTagShape
    'written-answers': typeof writtenAnswerShape
    'written-words': typeof writtenWordShape
  }
}
