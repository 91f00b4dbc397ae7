import { localiseText } from '#app/lib/localised-text.ts'
import type { CountedValue, QuestionFigures } from './figures.ts'
import type { Option } from '../surveys.schema.ts'

const OPTION_TYPES: ReadonlySet<string> = new Set(['one_choice', 'several_choices', 'dropdown', 'picture_choice'])

/**
 * Counts in the order in which readers see them: the largest first where the order of the options has no meaning. Scales, dates, numbers and
 * questions about people keep their order, and so do options that are marked as ordered or count up or down, such as years and age groups.
 * Hidden counts come last and in the order of the question: their place among the others would say how large they are.
 */
export function sortCells(figures: Pick<QuestionFigures, 'question' | 'shape' | 'cells'>): CountedValue[] {
  if (figures.shape !== 'bars' || hasOrder(figures.question)) return [...figures.cells]
  return figures.cells.toSorted((a, b) => (b.count ?? -1) - (a.count ?? -1))
}

function hasOrder(question: QuestionFigures['question']): boolean {
  if (!OPTION_TYPES.has(question.type) || !('options' in question)) return true
  if ('ordered' in question && question.ordered !== undefined) return question.ordered
  return !('shuffle' in question && question.shuffle) && areNumbersInOrder(question.options)
}

/** Whether most options begin with or contain a number, and these only rise or only fall. "Other" and "none of these" stand apart. */
function areNumbersInOrder(options: readonly Option[]): boolean {
  const own = options.filter(({ other, exclusive }) => !other && !exclusive)
  const numbers = own.flatMap(({ label }) => {
    const [first] = /\d+(?:[.,]\d+)?/.exec(localiseText(label, 'en', 'en').text.replaceAll(/(?<=\d)[ ,\u00a0\u202f](?=\d{3})/g, '')) ?? []
    return first === undefined ? [] : [Number(first.replace(',', '.'))]
  })
  if (numbers.length < 3 || numbers.length * 2 <= own.length) return false
  const isEachPair = (holds: (a: number, b: number) => boolean) =>
    numbers.every((number, at) => at === 0 || holds(numbers[at - 1] ?? 0, number))
  return isEachPair((a, b) => a <= b) || isEachPair((a, b) => a >= b)
}
