import type { FormState } from '#app/server/request-context.ts'
import type { Language } from '#app/lib/languages.ts'
import { inLanguage } from '#app/lib/translated.ts'
import { fieldName, otherFieldName } from './surveys.answers.ts'
import type { Question } from './surveys.schema.ts'
import type { SurveyWords } from './use-survey-words.ts'

type SentFault = FormState['faults'][number]

/** What is wrong with an answer, as a sentence that says how to mend it. */
export function faultWords({ t, language, format }: SurveyWords, question: Question, fault: SentFault): string {
  const limit = Number(fault.values?.['max'] ?? fault.values?.['min'] ?? 0)
  const counted = { count: limit, number: format.number(limit) }
  switch (fault.code) {
    case 'too-long':
    case 'too-short':
      return t(`faults.${fault.code}`, counted)
    case 'too-many':
    case 'too-few':
      return t(`faults.${fault.code}`, { count: limit })
    case 'exclusive-choice':
      return t('faults.exclusive', { option: optionLabel(question, language, 'exclusive') })
    default:
      if (fault.field === otherFieldName(question.id)) return t('faults.say-other', { option: optionLabel(question, language, 'other') })
      return t(`faults.${MISSING[question.type]}`)
  }
}

const MISSING = {
  short_text: 'write',
  long_text: 'write',
  one_choice: 'choose-one',
  several_choices: 'choose-some',
  rating: 'rate',
} as const

function optionLabel(question: Question, language: Language, kind: 'other' | 'exclusive'): string {
  const option = 'options' in question ? question.options.find((each) => each[kind]) : undefined
  return inLanguage(option?.label, language)
}

/** The faults of a form's answers: by field, and as the lines of an error summary in the survey's order. */
export function describeFaults(
  speaker: SurveyWords,
  questions: readonly Question[],
  faults: readonly SentFault[],
): { byField: Map<string, string>; summary: { id: string; message: string }[] } {
  const byField = new Map<string, string>()
  const summary: { id: string; message: string }[] = []
  for (const question of questions) {
    const names = new Set([fieldName(question.id), otherFieldName(question.id)])
    const fault = faults.find((each) => each.field !== undefined && names.has(each.field))
    if (!fault?.field) continue
    const words = faultWords(speaker, question, fault)
    byField.set(fault.field, words)
    summary.push({ id: fault.field, message: withQuestion(speaker, question, words) })
  }
  return { byField, summary }
}

/** The same fault of two questions must not read alike in a list. */
function withQuestion({ t, language }: SurveyWords, question: Question, fault: string): string {
  const title = inLanguage(question.title, language)
  return /[?!.:]$/.test(title) ? `${title} ${fault}` : t('faults.joined', { question: title, fault })
}
