import type { Fault } from '#app/lib/app-error.ts'
import { MAX_TEXT_LENGTH } from '../../answer-limits.ts'
import type { Answer, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { type ExportedQuestion, createColumn, type QuestionModule, type Say } from '../question-type.ts'
import { isPatternMatch, countCharacters, tidyText } from '../text-tools.ts'

type TextType = 'short_text' | 'long_text' | 'email' | 'phone'
type TextQuestion = QuestionOf<TextType>

const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/
const MAX_EMAIL_LENGTH = 254

export const getMostCharacters = (question: QuestionOf<'short_text' | 'long_text'>): number =>
  question.maxLength ?? MAX_TEXT_LENGTH[question.type]

const createTextModule = <T extends TextType>(
  type: T,
  check: (question: QuestionOf<T>, answer: string) => Fault | undefined,
): QuestionModule<QuestionOf<T>> => ({
  read: (_question, sent) => tidyText(sent()[0] ?? '', type !== 'long_text') || undefined,
  fields: (_question, answer) => ({ '': typeof answer === 'object' ? '' : String(answer) }),
  tidy: (_question, answer) => (typeof answer === 'string' ? tidyText(answer, type !== 'long_text') || undefined : answer),
  check: (question, answer) => (typeof answer === 'string' ? check(question, answer) : { code: 'wrong-type' }),
  words: (_question, answer) => (typeof answer === 'object' ? [] : [String(answer)]),
  columns: (question, say) => [createTextColumn(question, say)],
  missing: 'write',
})

export const shortText: QuestionModule<QuestionOf<'short_text'>> = {
  ...createTextModule('short_text', (question, text) => {
    const fault = checkLength(question, text)
    if (fault || !question.pattern) return fault
    return isPatternMatch(text, question.pattern) ? undefined : { code: 'wrong-format' }
  }),
  faults: (question, at) => listLengthFaults(question, at),
}

export const longText: QuestionModule<QuestionOf<'long_text'>> = {
  ...createTextModule('long_text', checkLength),
  faults: (question, at) => listLengthFaults(question, at),
}

export const email = createTextModule('email', (_question, text) =>
  EMAIL.test(text) && text.length <= MAX_EMAIL_LENGTH ? undefined : { code: 'not-an-email' },
)

/** Digits with common separators; an extension may follow. */
export const phone = createTextModule('phone', (_question, text) => {
  const digits = text.replace(/\D/g, '').length
  return /^\+?[\d\s().\-/]+(\D{1,6}\d{1,6})?$/.test(text) && digits >= 6 && digits <= 20 ? undefined : { code: 'wrong-format' }
})

function checkLength(question: QuestionOf<'short_text' | 'long_text'>, text: string): Fault | undefined {
  const length = countCharacters(text)
  const max = getMostCharacters(question)
  if (length > max) return { code: 'too-long', values: { max } }
  if (question.minLength !== undefined && length < question.minLength) return { code: 'too-short', values: { min: question.minLength } }
  return undefined
}

function listLengthFaults(question: QuestionOf<'short_text' | 'long_text'>, at: string): Fault[] {
  const max = getMostCharacters(question)
  const least = question.minLength ?? 0
  return max > 0 && least <= max ? [] : [{ code: 'out-of-range', pointer: `${at}/maxLength`, values: { min: Math.max(1, least) } }]
}

/** Also for a question that had another type before: text can show any answer. */
function createTextColumn(question: ExportedQuestion<TextQuestion>, say: Say) {
  const label = (id: string) => say(question.formerOptions?.find((option) => option.id === id)?.label) || id
  return createColumn(question, '', say(question.title), (answer) => formatFormerAnswer(answer, label))
}

function formatFormerAnswer(answer: Answer, label: (id: string) => string): string | number {
  if (typeof answer !== 'object') return answer
  if ('choice' in answer) return label(answer.choice)
  if ('choices' in answer) return answer.choices.map(label).join('; ')
  if ('rows' in answer)
    return Object.entries(answer.rows)
      .map(([row, columns]) => `${label(row)}: ${columns.map(label).join(', ')}`)
      .join('; ')
  if ('ranks' in answer)
    return Object.entries(answer.ranks)
      .toSorted(([, a], [, b]) => Number(a) - Number(b))
      .map(([id]) => label(id))
      .join('; ')
  if ('amounts' in answer)
    return Object.entries(answer.amounts)
      .map(([id, amount]) => `${label(id)}: ${amount}`)
      .join('; ')
  if ('files' in answer) return answer.files.map(({ name }) => name).join('; ')
  return Object.values('address' in answer ? answer.address : answer.place)
    .filter((part) => part !== undefined)
    .join(', ')
}
