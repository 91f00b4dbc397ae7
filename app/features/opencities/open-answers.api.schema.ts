import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { MAX_DECIDED_AT_ONCE, OPEN_ANSWER_STATES } from './open-answers.schema.ts'

/** `{response}.{question}` */
const answerId = v.pipe(v.string(), v.regex(/^[0-9a-f-]{36}\.[\w-]{1,80}$/))

export const openAnswerShape = resourceShape({
  type: 'open-answers',
  summary: 'Written answers to a survey, and whether each is approved as open data',
  operations: ['list'],
  id: answerId,
  attributes: {
    question: attribute(v.string()),
    questionText: attribute(v.string()),
    text: attribute(v.string()),
    language: attribute(v.picklist(LANGUAGES)),
    approved: attribute(v.boolean()),
  },
  filters: { survey: filter.id(), state: filter.choice(OPEN_ANSWER_STATES) },
})

/** Approves many answers at once, or withdraws approval; its id is the survey's. */
export const openAnswerDecisionShape = resourceShape({
  type: 'open-answer-decisions',
  summary: 'Decides which written answers are published as open data',
  operations: ['create'],
  body: { bytes: 100_000 },
  attributes: {
    answers: attribute(v.pipe(v.array(answerId), v.minLength(1), v.maxLength(MAX_DECIDED_AT_ONCE)), { read: false, create: 'required' }),
    approved: attribute(v.boolean(), { read: false, create: 'required' }),
    /** How many were found and changed. */
    decided: attribute(v.number()),
  },
  relationships: { survey: toOne('surveys', { create: 'required', nullable: false }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'open-answers': typeof openAnswerShape
    'open-answer-decisions': typeof openAnswerDecisionShape
  }
}
