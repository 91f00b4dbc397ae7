import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { createColumn, NUMBER_CONTENT, type QuestionModule } from '../question-type.ts'

type ScaleType = 'rating' | 'scale' | 'nps'
type ScaleQuestion = QuestionOf<ScaleType>

/** First and last step of a scale, and their labels. */
export function getScaleEnds(question: ScaleQuestion): {
  min: number
  max: number
  low?: QuestionOf<'nps'>['low']
  high?: QuestionOf<'nps'>['high']
} {
  if (question.type === 'nps') return { min: 0, max: 10, low: question.low, high: question.high }
  return { min: question.type === 'scale' ? question.scale.min : 1, ...question.scale }
}

export const scale: QuestionModule<ScaleQuestion> = {
  read(_question, sent) {
    const typed = sent()[0]?.trim()
    if (!typed) return undefined
    return /^\d{1,9}$/.test(typed) ? Number(typed) : typed
  },
  fields: (_question, answer) => ({ '': typeof answer === 'object' ? '' : String(answer) }),
  tidy: (_question, answer) => (typeof answer === 'string' ? answer.trim() || undefined : answer),
  check(question, answer) {
    const { min, max } = getScaleEnds(question)
    return typeof answer === 'number' && Number.isInteger(answer) && answer >= min && answer <= max ? undefined : { code: 'not-a-choice' }
  },
  words: (question, answer, { t }) =>
    typeof answer === 'number' ? [t('receipt.rating', { value: answer, max: getScaleEnds(question).max })] : [],
  columns: (question, say) => [
    createColumn(question, '', say(question.title), (answer) => (typeof answer === 'object' ? null : answer), NUMBER_CONTENT),
  ],
  missing: 'rate',
}
