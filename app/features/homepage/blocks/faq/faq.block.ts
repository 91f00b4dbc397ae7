import { line, list, rich } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

/** Questions with answers that expand. */
export const faq = defineBlock(
  'faq',
  { title: line(), questions: list({ question: line(300), answer: rich(4000) }, 40) },
  { isEmpty: ({ questions }) => questions.every(({ question }) => !question.text) },
)
