import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import type { QuestionModule } from '../question-type.ts'

/** Nothing is asked, so that nothing is answered. */
export const info: QuestionModule<QuestionOf<'info'>> = {
  read: () => undefined,
  fields: () => ({}),
  tidy: (_question, answer) => answer,
  check: () => ({ code: 'unknown-attribute' }),
  words: () => [],
  columns: () => [],
  missing: 'write',
}
