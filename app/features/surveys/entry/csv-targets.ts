import type { Language } from '#app/lib/languages.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { listOfferedOptions } from '../questionnaire/question-types/choices/options.ts'
import { getQuestionModule } from '../questionnaire/question-types/registry.ts'
import { listQuestions, readAnswers } from '../questionnaire/answers.ts'
import type { Answers, Definition, Question } from '../surveys.schema.ts'

/** What a file's column can map to: a question, or a part of it such as a row, an option, an address line. */
export interface CsvTarget {
  /** `mode`, `want#trees`, `grid/park`. */
  key: string
  question: string
  /** Part of the question's form; `''` is its only field. */
  part: string
  /** An option with its own yes-or-no column. */
  option?: string
  label: string
}

/** Columns about the response itself, named as in exports. */
export const RESPONSE_TARGETS = ['response', 'submitted_at', 'language'] as const

/** What a column of whole answers, as our own JSON has them, can map to. */
export const listQuestionTargets = (definition: Definition, language: Language, fallback: Language): Pick<CsvTarget, 'key' | 'label'>[] =>
  listQuestions(definition)
    .filter(({ type }) => type !== 'info' && type !== 'file')
    .map(({ id, title }) => ({ key: id, label: getTranslation(title, language, fallback) }))

const SEVERAL_CHOICE_TYPES: readonly string[] = ['several_choices', 'picture_choice']

/** Everything a file's column can map to in this survey. */
export function listCsvTargets(definition: Definition, language: Language, fallback: Language): CsvTarget[] {
  const say = (text: Translated | undefined) => getTranslation(text, language, fallback)
  return listQuestions(definition).flatMap((question): CsvTarget[] => {
    const { id } = question
    if (question.type === 'info' || question.type === 'file') return []
    const title = say(question.title)
    const createTarget = (part: string, label: string): CsvTarget => ({
      key: part ? `${id}/${part}` : id,
      question: id,
      part,
      label: label ? `${title}: ${label}` : title,
    })
    const findLabel = (items: readonly { id: string; label: Translated }[], part: string) =>
      say(items.find((item) => item.id === part)?.label) || part
    if (question.type === 'date') return [createTarget('', '')]
    const parts = getQuestionModule(question).parts?.(question) ?? []
    if ('rows' in question) {
      return parts.flatMap((part) => {
        const row = createTarget(part, findLabel(question.rows, part))
        const columns = question.type === 'matrix_several' ? question.columns.filter((column) => !column.removed) : []
        return [
          row,
          ...columns.map((column) => ({
            ...row,
            key: `${row.key}#${column.id}`,
            option: column.id,
            label: `${row.label}, ${say(column.label)}`,
          })),
        ]
      })
    }
    if (parts.length > 0) return parts.map((part) => createTarget(part, 'options' in question ? findLabel(question.options, part) : part))
    if (!('options' in question)) return [createTarget('', '')]
    const other = question.options.find((option) => option.other)
    return [
      createTarget('', ''),
      ...(SEVERAL_CHOICE_TYPES.includes(question.type)
        ? listOfferedOptions(question).map((option) => ({
            ...createTarget('', say(option.label)),
            key: `${id}#${option.id}`,
            option: option.id,
          }))
        : []),
      ...(other ? [createTarget('other', say(other.label))] : []),
    ]
  })
}

/** Guesses the target for a column heading: by the code that our exports append, by a key, or by the question's title. */
export function guessTargetKey(heading: string, targets: readonly CsvTarget[]): string {
  const code = (/\[([^[\]]+)\]$/.exec(heading.trim())?.[1] ?? heading).trim()
  const own = RESPONSE_TARGETS.find((name) => name === code)
  if (own) return own
  const named = targets.find((each) => normaliseText(each.key) === normaliseText(code) || formatExportCode(each) === code)
  if (named) return named.key
  const words = normaliseText(heading)
  return targets.find((each) => normaliseText(each.label) === words)?.key ?? ''
}

/** The code in exported files: `want.trees`, `grid.park`, `mode.other`. */
const formatExportCode = ({ question, part, option }: CsvTarget) => [question, part, option].filter(Boolean).join('.')

const normaliseText = (text: string) => text.trim().toLowerCase().replace(/\s+/g, ' ')

const YES_WORDS = new Set(['1', 'yes', 'y', 'true', 'x', 'oui', 'o', 'vrai', 'ie', 'ydw', 'gwir'])
const NO_WORDS = new Set(['0', 'no', 'n', 'false', 'non', 'faux', 'na', 'nage', 'anwir'])

/** One row of a file as answers, as far as they can be parsed: whatever does not fit is left for validation to report. */
export function parseRowAnswers(definition: Definition, cells: readonly { target: CsvTarget; text: string }[]): Answers {
  const questions = listQuestions(definition)
  const byId = new Map(questions.map((question) => [question.id, question]))
  const fields: Record<string, string[]> = {}
  for (const { target, text } of cells) {
    const question = byId.get(target.question)
    if (!question || !text.trim()) continue
    for (const [part, values] of parseCell(question, target, text.trim()))
      (fields[`q.${question.id}${part ? `.${part}` : ''}`] ??= []).push(...values)
  }
  return readAnswers(questions, fields)
}

function parseCell(question: Question, { part, option }: CsvTarget, text: string): [part: string, values: string[]][] {
  if (option)
    return YES_WORDS.has(text.toLowerCase()) || text === option
      ? [[part, [option]]]
      : NO_WORDS.has(text.toLowerCase())
        ? []
        : [[part, [text]]]
  switch (question.type) {
    case 'date': {
      const [, year = text, month = '', day = ''] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:T.*)?$/.exec(text) ?? []
      return [
        ['-year', [year]],
        ['-month', [month]],
        ['-day', [day]],
      ]
    }
    case 'yes_no':
    case 'consent':
      return [['', [YES_WORDS.has(text.toLowerCase()) ? 'yes' : NO_WORDS.has(text.toLowerCase()) ? 'no' : text]]]
    case 'likert':
    case 'matrix_one':
      return [[part, [toItemId(question.columns, text)]]]
    case 'matrix_several':
      return [[part, splitList(text).map((each) => toItemId(question.columns, each))]]
    case 'one_choice':
    case 'dropdown':
    case 'demographic':
      return [[part, [part ? text : toItemId(question.options, text)]]]
    case 'several_choices':
    case 'picture_choice':
      return [[part, part ? [text] : splitList(text).map((each) => toItemId(question.options, each))]]
    default:
      return [[part, [text]]]
  }
}

const splitList = (text: string) =>
  text
    .split(/[;|\n]/)
    .map((each) => each.trim())
    .filter(Boolean)

type Items = readonly { id: string; label: Translated; removed?: true | undefined }[]

/** Each list is indexed once for all rows of a file. */
const idsByText = new WeakMap<Items, { ids: ReadonlySet<string>; byLabel: ReadonlyMap<string, string> }>()

/** Id of the item with this label in any language; the text itself if there is none. */
function toItemId(items: Items, text: string): string {
  let index = idsByText.get(items)
  if (!index) {
    const there = items.filter((item) => !item.removed)
    const labels = there.flatMap(({ id, label }) => Object.values(label).map((each) => [normaliseText(each), id] as const))
    // Of several options with the same label, the first.
    index = { ids: new Set(there.map(({ id }) => id)), byLabel: new Map(labels.toReversed()) }
    idsByText.set(items, index)
  }
  return index.ids.has(text) ? text : (index.byLabel.get(normaliseText(text)) ?? text)
}
