import type { Language } from '#app/lib/languages.ts'
import { inLanguage, type Translated } from '#app/lib/translated.ts'
import { offered } from '../questionnaire/question-types/choices/options.ts'
import { typeOf } from '../questionnaire/question-types/registry.ts'
import { questionsOf, readAnswers } from '../questionnaire/answers.ts'
import type { Answers, Definition, Question } from '../surveys.schema.ts'

/** What a column of a file may hold: a question, or a part of it such as a row, an option, a line of an address. */
export interface CsvTarget {
  /** `mode`, `want#trees`, `grid/park`. */
  key: string
  question: string
  /** Of the question's form; `''` its one field. */
  part: string
  /** An option with a column of its own, which says yes or no. */
  option?: string
  label: string
}

/** Columns that are about the response itself, under the names that exported files give them. */
export const OWN_TARGETS = ['submitted_at', 'language'] as const

const SEVERAL: readonly string[] = ['several_choices', 'picture_choice']

/** Everything that columns of a file can be of this survey. */
export function csvTargets(definition: Definition, language: Language, fallback: Language): CsvTarget[] {
  const say = (text: Translated | undefined) => inLanguage(text, language, fallback)
  return questionsOf(definition).flatMap((question): CsvTarget[] => {
    const { id } = question
    if (question.type === 'info' || question.type === 'file') return []
    const title = say(question.title)
    const target = (part: string, label: string): CsvTarget => ({
      key: part ? `${id}/${part}` : id,
      question: id,
      part,
      label: label ? `${title}: ${label}` : title,
    })
    const label = (items: readonly { id: string; label: Translated }[], part: string) =>
      say(items.find((item) => item.id === part)?.label) || part
    if (question.type === 'date') return [target('', '')]
    const parts = typeOf(question).parts?.(question) ?? []
    if ('rows' in question) {
      return parts.flatMap((part) => {
        const row = target(part, label(question.rows, part))
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
    if (parts.length > 0) return parts.map((part) => target(part, 'options' in question ? label(question.options, part) : part))
    if (!('options' in question)) return [target('', '')]
    const other = question.options.find((option) => option.other)
    return [
      target('', ''),
      ...(SEVERAL.includes(question.type)
        ? offered(question).map((option) => ({ ...target('', say(option.label)), key: `${id}#${option.id}`, option: option.id }))
        : []),
      ...(other ? [target('other', say(other.label))] : []),
    ]
  })
}

/** Which target a column's heading names: by the code that our own files put behind it, by a key, or by the words of the question. */
export function guessTarget(heading: string, targets: readonly CsvTarget[]): string {
  const code = (/\[([^[\]]+)\]$/.exec(heading.trim())?.[1] ?? heading).trim()
  const own = OWN_TARGETS.find((name) => name === code)
  if (own) return own
  const named = targets.find((each) => plain(each.key) === plain(code) || codeOf(each) === code)
  if (named) return named.key
  const words = plain(heading)
  return targets.find((each) => plain(each.label) === words)?.key ?? ''
}

/** As exported files call it: `want.trees`, `grid.park`, `mode.other`. */
const codeOf = ({ question, part, option }: CsvTarget) => [question, part, option].filter(Boolean).join('.')

const plain = (text: string) => text.trim().toLowerCase().replace(/\s+/g, ' ')

const YES = new Set(['1', 'yes', 'y', 'true', 'x', 'oui', 'o', 'vrai', 'ie', 'ydw', 'gwir'])
const NO = new Set(['0', 'no', 'n', 'false', 'non', 'faux', 'na', 'nage', 'anwir'])

/** One row of a file as answers, as far as they can be read: what does not fit is left for the survey's own rules to name. */
export function answersOfRow(definition: Definition, cells: readonly { target: CsvTarget; text: string }[]): Answers {
  const questions = questionsOf(definition)
  const byId = new Map(questions.map((question) => [question.id, question]))
  const fields: Record<string, string[]> = {}
  for (const { target, text } of cells) {
    const question = byId.get(target.question)
    if (!question || !text.trim()) continue
    for (const [part, values] of valuesOf(question, target, text.trim()))
      (fields[`q.${question.id}${part ? `.${part}` : ''}`] ??= []).push(...values)
  }
  return readAnswers(questions, fields)
}

function valuesOf(question: Question, { part, option }: CsvTarget, text: string): [part: string, values: string[]][] {
  if (option)
    return YES.has(text.toLowerCase()) || text === option ? [[part, [option]]] : NO.has(text.toLowerCase()) ? [] : [[part, [text]]]
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
      return [['', [YES.has(text.toLowerCase()) ? 'yes' : NO.has(text.toLowerCase()) ? 'no' : text]]]
    case 'likert':
    case 'matrix_one':
      return [[part, [named(question.columns, text)]]]
    case 'matrix_several':
      return [[part, split(text).map((each) => named(question.columns, each))]]
    case 'one_choice':
    case 'dropdown':
    case 'demographic':
      return [[part, [part ? text : named(question.options, text)]]]
    case 'several_choices':
    case 'picture_choice':
      return [[part, part ? [text] : split(text).map((each) => named(question.options, each))]]
    default:
      return [[part, [text]]]
  }
}

const split = (text: string) =>
  text
    .split(/[;|\n]/)
    .map((each) => each.trim())
    .filter(Boolean)

/** The id of what is called so in any language; the words themselves where nothing is. */
function named(items: readonly { id: string; label: Translated; removed?: true | undefined }[], text: string): string {
  const words = plain(text)
  const there = items.filter((item) => !item.removed)
  return (
    (there.find((item) => item.id === text) ?? there.find((item) => Object.values(item.label).some((label) => plain(label) === words)))
      ?.id ?? text
  )
}
