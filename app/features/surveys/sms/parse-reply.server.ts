import { normaliseWords, parseYesOrNo } from '#app/lib/text-keywords.ts'
import { listOfferedOptions } from '../questionnaire/question-types/choices/options.ts'
import { getQuestionModule } from '../questionnaire/question-types/registry.ts'
import { checkAnswers } from '../questionnaire/answers.ts'
import type { Answer } from '../surveys.schema.ts'
import type { TextQuestion } from './by-text.server.ts'

const MIN_BEGINNING_LENGTH = 3

/** The answer in a text message; undefined if it does not answer the question. */
export function parseReply(question: TextQuestion, text: string): Answer | undefined {
  const raw = parseRawReply(question, text)
  const answer = raw === undefined ? undefined : getQuestionModule(question).tidy(question, raw)
  if (answer === undefined) return undefined
  return checkAnswers([question], { [question.id]: answer }).length > 0 ? undefined : answer
}

function parseRawReply(question: TextQuestion, text: string): Answer | undefined {
  switch (question.type) {
    case 'yes_no': {
      const choice = parseYesOrNo(text)
      return choice && { choice }
    }
    case 'one_choice':
    case 'dropdown':
    case 'demographic':
      return findChosenOption(question, text)
    default: {
      const value = question.type === 'short_text' ? text : extractLoneNumber(text)
      return getQuestionModule(question).read(question, (...part) => (part.length > 0 ? [] : [value]))
    }
  }
}

/** Finds an option by its number, its label in any language, or the start of its label; "other" by its number followed by free text. */
function findChosenOption(question: Extract<TextQuestion, { options: unknown }>, text: string): Answer | undefined {
  const options = listOfferedOptions(question)
  const [, digits, rest = ''] = /^\D{0,2}(\d{1,3})(?:[).:,-]*\s+|[).:,-]+\s*|$)(.*)$/s.exec(text.trim()) ?? []
  const numbered = digits ? options[Number(digits) - 1] : undefined
  if (numbered?.other) return { choice: numbered.id, other: rest.trim() }
  const wanted = normaliseWords(digits && numbered ? rest : text)
  const listLabels = (option: (typeof options)[number]) => Object.values(option.label).map(normaliseWords)
  if (numbered && (wanted === '' || listLabels(numbered).includes(wanted))) return { choice: numbered.id }
  const exact = options.find((option) => !option.other && listLabels(option).includes(wanted))
  if (exact) return { choice: exact.id }
  const begun = options.filter((option) => !option.other && listLabels(option).some((label) => label.startsWith(wanted)))
  return wanted.length >= MIN_BEGINNING_LENGTH && begun[0] && begun.length === 1 ? { choice: begun[0].id } : undefined
}

/** The number in "about 12 km"; the whole text if it has several numbers, or none. */
function extractLoneNumber(text: string): string {
  const found = text.match(/[-−]?\d+(?:[.,]\d+)*/g) ?? []
  return found.length === 1 ? (found[0] ?? text) : text
}
