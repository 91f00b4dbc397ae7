import type { Fault } from '#app/lib/app-error.ts'
import type { Answer, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import type { SurveyWords } from '../../use-survey-words.ts'
import { listOfferedOptions, listOptionFaults, findOption } from '../choices/options.ts'
import { createColumn, NUMBER_CONTENT, getOwn, type QuestionModule } from '../question-type.ts'
import { parseTypedNumber } from '../text-tools.ts'

type Budget = QuestionOf<'budget'>

const findAmounts = (answer: Answer): Record<string, number | string> | undefined =>
  typeof answer === 'object' && 'amounts' in answer ? answer.amounts : undefined

/** A formatted amount: `$1,200`, `40%`, `12 points`. */
export function formatAmount({ t, format, language }: SurveyWords, { measure, currency = 'CAD' }: Budget, amount: number): string {
  if (measure === 'percent') return format.percent(amount / 100)
  if (measure === 'points') return t('budget.points', { count: amount, number: format.number(amount) })
  return new Intl.NumberFormat(language === 'cy' ? 'en-GB' : language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 0,
  }).format(amount)
}

export const sumAmounts = (amounts: Record<string, number | string>): number =>
  Object.values(amounts).reduce<number>((sum, amount) => sum + (typeof amount === 'number' ? amount : 0), 0)

export const budget: QuestionModule<Budget> = {
  read(question, sent) {
    const amounts = listOfferedOptions(question).flatMap(({ id }) => {
      const amount = parseTypedNumber(sent(id)[0] ?? '')
      return amount === undefined ? [] : [[id, amount] as const]
    })
    return budget.tidy(question, { amounts: Object.fromEntries(amounts) })
  },
  fields: (_question, answer) => Object.fromEntries(Object.entries(findAmounts(answer) ?? {}).map(([id, amount]) => [id, String(amount)])),
  tidy(_question, answer) {
    const amounts = findAmounts(answer)
    if (!amounts) return answer
    const kept = Object.entries(amounts).filter(([, amount]) => amount !== '')
    return kept.some(([, amount]) => amount !== 0) ? { amounts: Object.fromEntries(kept) } : undefined
  },
  check(question, answer): Fault | undefined {
    const amounts = findAmounts(answer)
    if (!amounts) return { code: 'wrong-type' }
    for (const [id, amount] of Object.entries(amounts)) {
      if (!listOfferedOptions(question).some((option) => option.id === id)) return { code: 'not-a-choice' }
      if (typeof amount !== 'number' || !Number.isInteger(amount)) return { code: 'not-a-number', pointer: `/${id}` }
      if (amount < 0) return { code: 'out-of-range', pointer: `/${id}`, values: { min: 0, max: question.total } }
    }
    return sumAmounts(amounts) === question.total
      ? undefined
      : { code: 'wrong-total', values: { total: question.total, given: sumAmounts(amounts) } }
  },
  faults: (question, at) => [
    ...listOptionFaults(question, at),
    ...(question.measure === 'percent' && question.total !== 100
      ? [{ code: 'out-of-range' as const, pointer: `${at}/total`, values: { min: 100, max: 100 } }]
      : []),
    ...(question.measure === 'money' && !question.currency ? [{ code: 'required' as const, pointer: `${at}/currency` }] : []),
  ],
  words: (question, answer, speak) =>
    Object.entries(findAmounts(answer) ?? {}).map(
      ([id, amount]) =>
        `${speak.say(findOption(question, id)?.label).text || id}${speak.format.colon}${typeof amount === 'number' ? formatAmount(speak, question, amount) : amount}`,
    ),
  /** If the question was answered, a blank option counts as zero. */
  columns: (question, say) =>
    question.options.map((option) =>
      createColumn(
        question,
        option.id,
        `${say(question.title)}: ${say(option.label)}`,
        (answer) => {
          const amounts = findAmounts(answer)
          return amounts ? (getOwn(amounts, option.id) ?? 0) : null
        },
        NUMBER_CONTENT,
      ),
    ),
  parts: (question) => listOfferedOptions(question).map(({ id }) => id),
  missing: 'share',
}
