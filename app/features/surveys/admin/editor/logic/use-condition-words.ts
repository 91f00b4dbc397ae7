import { useTranslation } from 'react-i18next'
import { getTranslation } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import type { Condition, ConditionTest, OtherAnswer } from '#app/features/surveys/questionnaire/conditions.schema.ts'
import type { Definition, Question, Row } from '../../../surveys.schema.ts'
import { isOtherAnswer } from '#app/features/surveys/questionnaire/conditions.ts'
import { formatRelativeDay } from './format-relative-day.ts'
import { isRelativeDay } from '#app/features/surveys/questionnaire/relative-days.ts'
import { listChoices, listEveryQuestion, listTestableRows, getValueKind, MOMENT_TESTS } from './condition-edits.ts'

/** The editor's wording for rules: names of questions, answers and pages, and whole conditions as a sentence. */
export function useConditionWords() {
  const { t } = useTranslation('survey-admin')
  const { locale } = useSite()
  const language = useLanguage()
  const format = useFormat()

  const nameOf = (question: Question | undefined): string =>
    question ? getTranslation(question.title, language, locale) || t('outline.untitled') : t('logic.gone')

  const choiceName = (choice: Row | undefined): string => {
    if (!choice) return t('logic.gone-option')
    const label = getTranslation(choice.label, language, locale)
    if (label) return label
    return choice.id === 'yes' ? t('logic.yes') : choice.id === 'no' ? t('logic.no') : t('logic.unnamed')
  }

  /** "the answer to “Arrival” plus 7 days" */
  const otherName = ({ question: id, row: item, plus = 0 }: OtherAnswer, questions: readonly Question[]): string => {
    const found = questions.find((question) => question.id === id)
    const row = found && listTestableRows(found).find((each) => each.id === item)
    const question = quoteText(row ? t('logic.row-of', { question: nameOf(found), row: choiceName(row) }) : nameOf(found))
    const answer = t('logic.answer-to', { question })
    if (plus === 0) return answer
    const unit = found?.type === 'date' ? ({ style: 'unit', unit: 'day', unitDisplay: 'long' } as const) : {}
    const amount = new Intl.NumberFormat(language, { ...unit, maximumFractionDigits: 6 }).format(Math.abs(plus))
    return plus > 0 ? t('logic.answer-plus', { answer, amount }) : t('logic.answer-minus', { answer, amount })
  }

  const valueName = (question: Question, { is, value }: ConditionTest, questions: readonly Question[]): string => {
    if (value === undefined) return '…'
    if (isOtherAnswer(value)) return otherName(value, questions)
    if (typeof value === 'number') return format.number(value)
    if (isRelativeDay(value)) return formatRelativeDay(value, language)
    const kind = getValueKind(question, is)
    return kind === 'date' && /^\d{4}-\d\d-\d\d$/.test(value) ? format.date(`${value}T12:00:00Z`) : value
  }

  const joinWithOr = (parts: readonly string[]) => parts.reduce((first, second) => t('logic.or', { first, second }))
  const joinWithAnd = (parts: readonly string[]) => parts.reduce((first, second) => t('logic.and', { first, second }))
  const quoteText = (text: string) => t('logic.quoted', { text })

  const testSentence = (test: ConditionTest, questions: readonly Question[]): string => {
    const found = questions.find((question) => question.id === test.question)
    const row = found && listTestableRows(found).find((each) => each.id === test.row)
    const question = quoteText(row ? t('logic.row-of', { question: nameOf(found), row: choiceName(row) }) : nameOf(found))
    if (test.is === 'answered' || test.is === 'unanswered') return t(`logic.says.${test.is}`, { question })
    if (test.is === 'any_of' || test.is === 'all_of' || test.is === 'none_of') {
      const names = (test.options ?? []).map((id) => quoteText(choiceName(found && listChoices(found).find((choice) => choice.id === id))))
      const value = names.length === 0 ? '…' : test.is === 'all_of' ? joinWithAnd(names) : joinWithOr(names)
      return t(`logic.says.${test.is}`, { question, value })
    }
    const value = found ? valueName(found, test, questions) : '…'
    const moment = found && (found.type === 'date' || found.type === 'time')
    const momentTest = moment ? MOMENT_TESTS[test.is] : undefined
    if (momentTest) return t(`logic.says.${momentTest}`, { question, value })
    const said = t(`logic.says.${test.is}`, { question, value: typeof test.value === 'string' ? quoteText(value) : value })
    return test.caseSensitive ? t('logic.says-case', { said }) : said
  }

  const formatCondition = (condition: Condition, questions: readonly Question[], inner = false): string => {
    if (!('all' in condition) && !('any' in condition)) return testSentence(condition, questions)
    const parts = 'all' in condition ? condition.all : condition.any
    const said = parts.map((part) => formatCondition(part, questions, parts.length > 1))
    if (said.length === 0) return '…'
    const whole = 'all' in condition ? joinWithAnd(said) : joinWithOr(said)
    return inner && said.length > 1 ? `(${whole})` : whole
  }

  return {
    nameOf,
    choiceName,
    /** "“How do you travel?” is “By bus” or “On foot”" */
    sentence: (condition: Condition, definition: Definition) => formatCondition(condition, listEveryQuestion(definition)),
    pageName: (definition: Definition, id: string) => {
      const index = definition.pages.findIndex((page) => page.id === id)
      const title = getTranslation(definition.pages[index]?.title, language, locale)
      const number = t('outline.page', { number: index + 1 })
      return index < 0 ? t('logic.gone-page') : title ? t('logic.page-titled', { page: number, title }) : number
    },
    endingName: (definition: Definition, id: string) => {
      const ending = definition.endings?.find((each) => each.id === id)
      return ending ? getTranslation(ending.title, language, locale) || t('ending.untitled') : t('logic.gone-page')
    },
  }
}

export type ConditionWords = ReturnType<typeof useConditionWords>
