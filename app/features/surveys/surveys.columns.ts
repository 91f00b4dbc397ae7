import type { Language } from '#app/lib/languages.ts'
import { inLanguage } from '#app/lib/translated.ts'
import { optionOf } from './surveys.answers.ts'
import type { KeptDefinition, KeptQuestion } from './surveys.definition.ts'
import type { Answer, Answers } from './surveys.schema.ts'

export type CellValue = string | number | null

/** One column of a table of responses: a heading that carries words and code, and the value of one response. */
export interface Column {
  heading: string
  value: (answers: Answers) => CellValue
}

/**
 * The columns of a survey's answers, in its order, with every question that was ever asked: text and numbers as they are, one choice
 * as its label and its code, several choices as one fixed column for each option (1 chosen, 0 not, empty where nothing was answered).
 */
export function columnsOf(definition: KeptDefinition, language: Language, fallback: Language): Column[] {
  const say = (text: Parameters<typeof inLanguage>[0]) => inLanguage(text, language, fallback)
  return definition.pages.flatMap((page) => page.questions).flatMap((question) => questionColumns(question, say))
}

function questionColumns(question: KeptQuestion, say: (text: Parameters<typeof inLanguage>[0]) => string): Column[] {
  const title = say(question.title)
  const answerOf = (answers: Answers): Answer | undefined => (Object.hasOwn(answers, question.id) ? answers[question.id] : undefined)
  const plain: Column = { heading: `${title} [${question.id}]`, value: (answers) => inWords(question, answerOf(answers), say) }
  if (!('options' in question)) return [plain]
  const other = question.options.find((option) => option.other)
  const otherColumn: Column[] = other
    ? [{ heading: `${title}: ${say(other.label)} [${question.id}.other]`, value: (answers) => textBeside(answerOf(answers)) }]
    : []
  if (question.type === 'one_choice') {
    const code: Column = { heading: `${title} [${question.id}.code]`, value: (answers) => chosenIn(answerOf(answers))?.[0] ?? null }
    return [plain, code, ...otherColumn]
  }
  const each = question.options.map((option): Column => ({
    heading: `${title}: ${say(option.label)} [${question.id}.${option.id}]`,
    value: (answers) => {
      const chosen = chosenIn(answerOf(answers))
      return chosen ? Number(chosen.includes(option.id)) : null
    },
  }))
  return [...each, ...otherColumn]
}

/** Options chosen, also where the question let choose one; undefined where there are none. */
function chosenIn(answer: Answer | undefined): string[] | undefined {
  if (typeof answer !== 'object') return undefined
  return 'choice' in answer ? [answer.choice] : answer.choices
}

const textBeside = (answer: Answer | undefined): string | null => (typeof answer === 'object' ? (answer.other ?? null) : null)

/** An answer as its column shows it: also one that was given while the question was of another type. */
function inWords(question: KeptQuestion, answer: Answer | undefined, say: (text: Parameters<typeof inLanguage>[0]) => string): CellValue {
  if (answer === undefined) return null
  if (typeof answer !== 'object') return answer
  const options = 'options' in question ? question.options : (question.formerOptions ?? [])
  const label = (id: string) => say(optionOf({ options }, id)?.label) || id
  return ('choice' in answer ? [answer.choice] : answer.choices).map(label).join('; ')
}
