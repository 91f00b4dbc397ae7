import type { FormState } from '#app/server/request-context.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { formatAmount } from '../questionnaire/question-types/budget/budget.ts'
import { getQuestionModule } from '../questionnaire/question-types/registry.ts'
import { buildFieldName } from '../questionnaire/field-names.ts'
import type { Question, QuestionOf } from '../surveys.schema.ts'
import type { SurveyWords } from '../questionnaire/use-survey-words.ts'

export type SentFault = FormState['faults'][number]

/** What is wrong with an answer, as a sentence that says how to fix it. */
function formatFault(speaker: SurveyWords, question: Question, fault: SentFault): string {
  const { t, language, format } = speaker
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
    case 'file-infected':
    case 'unreadable-picture':
    case 'picture-too-large':
    case 'storage-full':
    case 'file-gone':
      return t(`faults.${fault.code}`, counted)
    case 'exclusive-choice':
      return t('faults.exclusive', { option: getOptionLabel(question, language, 'exclusive') })
    case 'out-of-range':
      return formatRangeFault(speaker, question, fault.values ?? {})
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
            total: formatAmount(speaker, question, question.total),
            given: formatAmount(speaker, question, Number(fault.values?.['given'] ?? 0)),
          })
        : t('faults.share')
    case 'wrong-format':
      return formatPatternFault(speaker, question)
    case 'place-unknown':
      return t('faults.place-unknown')
    case 'question-changed':
      return t('faults.changed')
    case 'not-a-choice':
      return question.type === 'slider' ? formatStepFault(speaker, question) : t(`faults.${getQuestionModule(question).missing}`)
    default:
      if (fault.field === buildFieldName(question.id, 'other') && 'options' in question)
        return t('faults.say-other', { option: getOptionLabel(question, language, 'other') })
      if (question.type === 'ranking' && fault.values) return t('faults.rank-more', fault.values)
      return t(`faults.${getQuestionModule(question).missing}`)
  }
}

/** "Enter a number from 1 to 10", or a date, or a time. */
function formatRangeFault({ t, format }: SurveyWords, question: Question, { min, max }: Record<string, string | number>): string {
  const formatLimit = (value: string | number) =>
    typeof value === 'number' ? format.number(value) : question.type === 'date' ? format.date(`${value}T12:00:00Z`) : value
  if (min !== undefined && max !== undefined) return t('faults.between', { min: formatLimit(min), max: formatLimit(max) })
  return min === undefined ? t('faults.at-most', { max: formatLimit(max ?? 0) }) : t('faults.at-least', { min: formatLimit(min) })
}

/** What an answer that is written wrongly should look like. */
function formatPatternFault({ t, say }: SurveyWords, question: Question): string {
  if (question.type === 'short_text') return say(question.patternHelp).text || t('faults.pattern', { pattern: question.pattern ?? '' })
  if (question.type === 'phone') return t('faults.phone')
  if (question.type === 'address') return t('faults.postcode')
  if (question.type === 'time') return t('faults.time')
  return t('faults.whole')
}

/** "Enter a number in steps of 5, such as 5 or 10". */
function formatStepFault({ t, format }: SurveyWords, { min, step = 1 }: QuestionOf<'slider'>): string {
  return t('faults.step', { step: format.number(step), first: format.number(min + step), second: format.number(min + 2 * step) })
}

function getOptionLabel(question: Question, language: ContentLanguage, kind: 'other' | 'exclusive'): string {
  const option = 'options' in question ? question.options.find((each) => each[kind]) : undefined
  return getTranslation(option?.label, language)
}

/** Faults of a form's answers: by field, and as lines for an error summary in the survey's order. */
export function describeFaults(
  speaker: SurveyWords,
  questions: readonly Question[],
  faults: readonly SentFault[],
): { byField: Map<string, string>; summary: { id: string; message: string }[] } {
  const byField = new Map<string, string>()
  const summary: { id: string; message: string }[] = []
  for (const question of questions) {
    const own = buildFieldName(question.id)
    const fault = faults.find((each) => each.field === own || each.field?.startsWith(`${own}.`))
    if (!fault?.field) continue
    const words = formatFault(speaker, question, fault)
    byField.set(fault.field, words)
    const [first] = getQuestionModule(question).parts?.(question) ?? []
    summary.push({
      id: first && fault.field === buildFieldName(question.id, first) ? own : fault.field,
      message: prefixWithQuestion(speaker, question, words),
    })
  }
  return { byField, summary }
}

/** Distinguishes the same fault of two questions in a list. */
function prefixWithQuestion({ t, language }: SurveyWords, question: Question, fault: string): string {
  const title = getTranslation(question.title, language)
  return /[?!.:]$/.test(title) ? `${title} ${fault}` : t('faults.joined', { question: title, fault })
}
