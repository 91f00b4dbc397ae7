import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { questionSchema } from '../surveys.schema.ts'

export const bankQuestionShape = resourceShape({
  type: 'bank-questions',
  summary: 'The site’s question bank, for people who edit surveys',
  operations: ['list', 'get', 'create', 'remove'],
  body: { bytes: 300_000 },
  can: ['remove'],
  attributes: {
    question: attribute(questionSchema, { create: 'required' }),
    createdAt: attribute(timestampSchema),
  },
  relationships: {
    /** The survey it was saved from, if it still exists: its editors may save its questions. */
    survey: toOne('surveys', { create: 'required', nullable: true }),
  },
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
  page: { size: 100, max: 200 },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'bank-questions': typeof bankQuestionShape
  }
}
