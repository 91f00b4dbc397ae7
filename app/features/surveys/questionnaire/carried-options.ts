import type { Condition } from './conditions.schema.ts'
import type { Definition, Option } from '../surveys.schema.ts'

/**
 * The definition with carried choices expanded: each becomes an option of the later question, shown if it was chosen in the earlier one, or
 * was not.
 */
export function expandCarriedOptions(definition: Definition): Definition {
  const known = new Map<string, readonly Option[]>()
  let changed = false
  const pages = definition.pages.map((page) => ({
    ...page,
    questions: page.questions.map((question) => {
      if (!('options' in question)) return question
      const { carry } = question
      const from = carry && known.get(carry.question)
      const options = from ? [...from.flatMap((option) => toCarriedOption(option, carry)), ...question.options] : question.options
      known.set(question.id, options)
      changed ||= from !== undefined
      return { ...question, options }
    }),
  }))
  return changed ? { ...definition, pages } : definition
}

function toCarriedOption(
  { other: _other, exclusive, ...option }: Option,
  carry: { question: string; which: 'chosen' | 'not_chosen' },
): Option[] {
  if (exclusive) return []
  const given: Condition = { question: carry.question, is: carry.which === 'chosen' ? 'any_of' : 'none_of', options: [option.id] }
  return [{ ...option, showIf: option.showIf ? { all: [option.showIf, given] } : given }]
}
