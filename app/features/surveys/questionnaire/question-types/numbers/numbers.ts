import type { Fault } from '#app/lib/app-error.ts'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import type { SurveyWords } from '../../use-survey-words.ts'
import { createColumn, NUMBER_CONTENT, type QuestionModule } from '../question-type.ts'
import { parseTypedNumber } from '../text-tools.ts'

type NumberQuestion = QuestionOf<'number' | 'slider'>

const countDecimals = (value: number): number => /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0
export const getStep = (question: NumberQuestion): number =>
  question.type === 'slider' ? (question.step ?? 1) : Number((0.1 ** (question.decimals ?? 0)).toFixed(6))

/** "10 km" and "10%", in French "10 %": the sign stands where the language has it. */
export function formatInUnit({ format, say }: Pick<SurveyWords, 'format' | 'say'>, value: number, unit: NumberQuestion['unit']): string {
  const shown = format.number(value)
  const { text } = say(unit)
  if (text === '%') return format.percent(0).replace('0', shown)
  return text ? `${shown}\u00a0${text}` : shown
}

export const number: QuestionModule<NumberQuestion> = {
  read: (_question, sent) => parseTypedNumber(sent()[0] ?? ''),
  fields: (_question, answer) => ({ '': typeof answer === 'object' ? '' : String(answer) }),
  tidy: (_question, answer) => (typeof answer === 'string' ? parseTypedNumber(answer) : answer),
  check(question, answer): Fault | undefined {
    if (typeof answer !== 'number' || !Number.isFinite(answer)) return { code: 'not-a-number' }
    const { min, max } = question
    if ((min !== undefined && answer < min) || (max !== undefined && answer > max))
      return { code: 'out-of-range', values: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) } }
    if (question.type === 'number')
      return countDecimals(answer) > (question.decimals ?? 0)
        ? { code: 'wrong-format', values: { decimals: question.decimals ?? 0 } }
        : undefined
    const steps = (answer - question.min) / getStep(question)
    return Math.abs(steps - Math.round(steps)) < 1e-6 ? undefined : { code: 'not-a-choice' }
  },
  faults(question, at) {
    const { min, max } = question
    if (min !== undefined && max !== undefined && (question.type === 'slider' ? min >= max : min > max))
      return [{ code: 'out-of-range', pointer: `${at}/max`, values: { min } }]
    if (question.type === 'slider' && getStep(question) > question.max - question.min)
      return [{ code: 'out-of-range', pointer: `${at}/step`, values: { max: question.max - question.min } }]
    return []
  },
  words(question, answer, { format, say }) {
    if (typeof answer === 'object') return []
    return [typeof answer === 'number' ? formatInUnit({ format, say }, answer, question.unit) : answer]
  },
  columns: (question, say) => [
    createColumn(question, '', say(question.title), (answer) => (typeof answer === 'object' ? null : answer), NUMBER_CONTENT),
  ],
  missing: 'number',
}
