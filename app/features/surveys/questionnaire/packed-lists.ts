import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Condition } from './conditions.schema.ts'
import { isLongList } from './question-types/choices/options.ts'
import type { Definition, Option, Question } from '../surveys.schema.ts'

/**
 * Long lists as a page carries them beside its markup: a line for each option, with its id and its label. A list of 5,000 streets takes a
 * third of what it takes as objects.
 */
interface PackedList {
  language: ContentLanguage
  /** `id`, tab, label; then a tab and the number of its condition, if it has one. */
  lines: string
  conditions: Condition[]
  /** By position: options that have more than an id, a label and a condition. */
  others: Record<number, Option>
}

type PackedDefinition = Definition & { packed?: Record<string, PackedList> }

/** @param definition in one language */
export function packLongLists(definition: Definition): PackedDefinition {
  const packed: Record<string, PackedList> = {}
  const pages = definition.pages.map((page) => ({
    ...page,
    questions: page.questions.map((question): Question => {
      if (!isLongList(question)) return question
      packed[question.id] = packOptions(question.options)
      return { ...question, options: [] }
    }),
  }))
  return Object.keys(packed).length > 0 ? { ...definition, pages, packed } : definition
}

function packOptions(options: readonly Option[]): PackedList {
  const [language = 'en'] = Object.keys(options[0]?.label ?? {}) as ContentLanguage[]
  const numbers = new Map<string, number>()
  const conditions: Condition[] = []
  const others: Record<number, Option> = {}
  const lines = options.map((option, index) => {
    const { id, label, showIf, ...more } = option
    const text = label[language]
    if (Object.keys(more).length > 0 || Object.keys(label).length !== 1 || text === undefined || /[\t\n\r]/.test(text)) {
      others[index] = option
      return ''
    }
    if (!showIf) return `${id}\t${text}`
    const key = JSON.stringify(showIf)
    if (!numbers.has(key)) numbers.set(key, conditions.push(showIf) - 1)
    return `${id}\t${text}\t${numbers.get(key)}`
  })
  return { language, lines: lines.join('\n'), conditions, others }
}

export function unpackLongLists(whole: PackedDefinition): Definition {
  const { packed, ...definition } = whole
  if (!packed) return whole
  const pages = definition.pages.map((page) => ({
    ...page,
    questions: page.questions.map((question) => {
      const list = packed[question.id]
      return list ? ({ ...question, options: unpackOptions(list) } as Question) : question
    }),
  }))
  return { ...definition, pages }
}

const unpackOptions = ({ language, lines, conditions, others }: PackedList): Option[] =>
  lines.split('\n').map((line, index) => {
    const other = others[index]
    if (other) return other
    const [id = '', text = '', number] = line.split('\t')
    const showIf = number === undefined ? undefined : conditions[Number(number)]
    return { id, label: { [language]: text }, ...(showIf && { showIf }) }
  })
