import type { FormState } from '#app/server/request-context.ts'
import type { Language } from '#app/lib/languages.ts'
import { inLanguage } from '#app/lib/translated.ts'
import { amountWords } from '../questionnaire/question-types/budget/budget.ts'
import { typeOf } from '../questionnaire/question-types/registry.ts'
import { fieldName } from '../questionnaire/answers.ts'
import type { Question, QuestionOf } from '../surveys.schema.ts'
import type { SurveyWords } from '../questionnaire/use-survey-words.ts'

export type SentFault = FormState['faults'][number]

/** What is wrong with an answer, as a sentence that says how to mend it. */
function faultWords(speaker: SurveyWords, question: Question, fault: SentFault): string {
  const { t, language, format, say } = speaker
  const limit = Number(fault.values?.['max'] ?? fault.values?.['min'] ?? 0)
  const counted = { count: limit, number: format.number(limit) }
  switch (fault.code) {
    case 'too-long':
    case 'too-short':
      return t(`faults.${fault.code}`, counted)
    case 'too-many':
    case 'too-few':
      return t(`faults.${fault.code}`, { count: limit })
    case 'file-too-large':
    case 'files-too-large':
    case 'too-many-unsent-files':
    case 'file-type-refused':
    case 'unreadable-picture':
    case 'picture-too-large':
    case 'storage-full':
    case 'file-gone':
      return t(`faults.${fault.code}`, counted)
    case 'exclusive-choice':
      return t('faults.exclusive', { option: optionLabel(question, language, 'exclusive') })
    case 'out-of-range':
      return rangeWords(speaker, question, fault.values ?? {})
    case 'not-a-number':
      return t('faults.number')
    case 'not-an-email':
      return t('faults.email')
    case 'not-a-date':
      return t('faults.real-date')
    case 'taken':
      return t('faults.rank-taken')
    case 'wrong-total':
      return question.type === 'budget'
        ? t('faults.total', {
            total: amountWords(speaker, question, question.total),
            given: amountWords(speaker, question, Number(fault.values?.['given'] ?? 0)),
          })
        : t('faults.share')
    case 'wrong-format':
      if (question.type === 'short_text') return say(question.patternHelp).text || t('faults.pattern', { pattern: question.pattern ?? '' })
      if (question.type === 'phone') return t('faults.phone')
      if (question.type === 'address') return t('faults.postcode')
      if (question.type === 'time') return t('faults.time')
      return t('faults.whole')
    case 'question-changed':
      return t('faults.changed')
    case 'not-a-choice':
      return question.type === 'slider' ? stepWords(speaker, question) : t(`faults.${typeOf(question).missing}`)
    default:
      if (fault.field === fieldName(question.id, 'other') && 'options' in question)
        return t('faults.say-other', { option: optionLabel(question, language, 'other') })
      return t(`faults.${typeOf(question).missing}`)
  }
}

/** "Enter a number from 1 to 10", or a day, or a time. */
function rangeWords({ t, format }: SurveyWords, question: Question, { min, max }: Record<string, string | number>): string {
  const show = (value: string | number) =>
    typeof value === 'number' ? format.number(value) : question.type === 'date' ? format.date(`${value}T12:00:00Z`) : value
  if (min !== undefined && max !== undefined) return t('faults.between', { min: show(min), max: show(max) })
  return min === undefined ? t('faults.at-most', { max: show(max ?? 0) }) : t('faults.at-least', { min: show(min) })
}

/** "Enter a number in steps of 5, such as 5 or 10". */
function stepWords({ t, format }: SurveyWords, { min, step = 1 }: QuestionOf<'slider'>): string {
  return t('faults.step', { step: format.number(step), first: format.number(min + step), second: format.number(min + 2 * step) })
}

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
    const own = fieldName(question.id)
    const fault = faults.find((each) => each.field === own || each.field?.startsWith(`${own}.`))
    if (!fault?.field) continue
    const words = faultWords(speaker, question, fault)
    byField.set(fault.field, words)
    const [first] = typeOf(question).parts?.(question) ?? []
    summary.push({
      id: first && fault.field === fieldName(question.id, first) ? own : fault.field,
      message: withQuestion(speaker, question, words),
    })
  }
  return { byField, summary }
}

/** The same fault of two questions must not read alike in a list. */
function withQuestion({ t, language }: SurveyWords, question: Question, fault: string): string {
  const title = inLanguage(question.title, language)
  return /[?!.:]$/.test(title) ? `${title} ${fault}` : t('faults.joined', { question: title, fault })
}
