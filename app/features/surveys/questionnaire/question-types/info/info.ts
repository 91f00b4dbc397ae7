import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import type { QuestionModule } from '../question-type.ts'

/** Asks nothing, so it has no answer. */
export const info: QuestionModule<QuestionOf<'info'>> = {
  read: () => undefined,
  fields: () => ({}),
  tidy: (_question, answer) => answer,
  check: () => ({ code: 'unknown-attribute' }),
  words: () => [],
  columns: () => [],
  missing: 'write',
}
