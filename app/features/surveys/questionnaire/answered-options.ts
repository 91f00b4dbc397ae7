import { findOption, isLongList } from './question-types/choices/options.ts'
import { getOwn } from './question-types/question-type.ts'
import type { Answers, Definition, Question } from '../surveys.schema.ts'

/** Reduces long lists to the chosen option, for pages that show one response. */
export function keepAnsweredOptions(definition: Definition, answers: Answers): Definition {
  const keepAnswered = (question: Question): Question => {
    if (!isLongList(question)) return question
    const answer = getOwn(answers, question.id)
    const chosen = typeof answer === 'object' && 'choice' in answer ? findOption(question, answer.choice) : undefined
    return { ...question, options: chosen ? [chosen] : [] }
  }
  const hasLongList = definition.pages.some((page) => page.questions.some(isLongList))
  if (!hasLongList) return definition
  return { ...definition, pages: definition.pages.map((page) => ({ ...page, questions: page.questions.map(keepAnswered) })) }
}
