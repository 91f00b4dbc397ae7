import type { Fault } from '#app/lib/app-error.ts'
import { MAX_OTHER_LENGTH } from '../../answer-limits.ts'
import type { Option, Question, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { countCharacters, tidyText } from '../text-tools.ts'
import type { ReadSentPart } from '../question-type.ts'

interface QuestionWithOptions {
  options: readonly Option[]
  carry?: unknown
}

/** A single choice among more options than this is a list to search in. */
const MOST_BUTTONS = 50

/** Whether people look for their answer in a list, instead of reading all the options. */
export const isLongList = (question: Question): question is LongListQuestion =>
  (question.type === 'one_choice' || question.type === 'dropdown' || question.type === 'demographic') &&
  question.options.length > MOST_BUTTONS

type LongListQuestion = QuestionOf<'one_choice' | 'dropdown' | 'demographic'> & { options: Option[] & { readonly 0: Option } }

/** Options of a version never change, so each long list is indexed once. */
const indexedOptions = new WeakMap<readonly Option[], ReadonlyMap<string, Option>>()

export function findOption({ options }: QuestionWithOptions, id: string): Option | undefined {
  if (options.length <= MOST_BUTTONS) return options.find((option) => option.id === id)
  let index = indexedOptions.get(options)
  if (!index) {
    index = new Map(options.toReversed().map((option) => [option.id, option]))
    indexedOptions.set(options, index)
  }
  return index.get(id)
}

/** Options that can still be chosen. */
export const listOfferedOptions = (question: QuestionWithOptions): Option[] => question.options.filter((option) => !option.removed)

export const findOtherOption = (question: QuestionWithOptions): Option | undefined =>
  question.options.find((option) => option.other && !option.removed)

export const readOtherText = (sent: ReadSentPart): string => tidyText(sent('other')[0] ?? '', true)

export function checkChosenOptions(question: QuestionWithOptions, chosen: readonly string[], other: string | undefined): Fault | undefined {
  const options = chosen.map((id) => findOption(question, id))
  if (options.some((option) => option === undefined || option.removed)) return { code: 'not-a-choice' }
  if (options.length > 1 && options.some((option) => option?.exclusive)) return { code: 'exclusive-choice' }
  if (!options.some((option) => option?.other)) return undefined
  if (!other) return { code: 'required', pointer: '/other' }
  return countCharacters(other) > MAX_OTHER_LENGTH ? { code: 'too-long', pointer: '/other', values: { max: MAX_OTHER_LENGTH } } : undefined
}

/** Faults that keep a list of options from being published. A question that carries options over needs none of its own. */
export function listOptionFaults(question: QuestionWithOptions, at: string): Fault[] {
  const options = listOfferedOptions(question)
  const faults: Fault[] = options.length < 2 && !question.carry ? [{ code: 'too-few', pointer: `${at}/options`, values: { min: 2 } }] : []
  faults.push(...listDuplicateIdFaults(question.options, `${at}/options`))
  const others = question.options.flatMap((option, index) => (option.other && !option.removed ? [index] : []))
  for (const index of others.slice(1)) faults.push({ code: 'too-many', pointer: `${at}/options/${index}/other`, values: { max: 1 } })
  return faults
}

export function listDuplicateIdFaults(items: readonly { id: string }[], at: string): Fault[] {
  const seen = new Set<string>()
  return items.flatMap(({ id }, index): Fault[] => {
    if (seen.has(id)) return [{ code: 'taken', pointer: `${at}/${index}/id` }]
    seen.add(id)
    return []
  })
}
