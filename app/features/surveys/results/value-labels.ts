import { findOption } from '../questionnaire/question-types/choices/options.ts'
import { getScaleEnds } from '../questionnaire/question-types/scales/scales.ts'
import type { SurveyWords } from '../questionnaire/use-survey-words.ts'
import { findSquareCentre } from '../responses/tallies.ts'
import type { Row } from '../surveys.schema.ts'
import type { QuestionFigures } from './figures.ts'

/** The label of a row, a column or an option. */
export function formatItemLabel({ t, say }: SurveyWords, items: readonly Row[], id: string): string {
  const item = items.find((each) => each.id === id)
  const label = item ? say(item.label).text : id
  return item?.removed ? t('results.removed-option', { option: label }) : label
}

/** The label of a counted value: an option, a step with its meaning, a month, a time, a range. */
export function formatValueLabel({ t, say, format }: SurveyWords, question: QuestionFigures['question'], value: string): string {
  switch (question.type) {
    case 'rating':
    case 'scale':
    case 'nps': {
      const { min, max, low, high } = getScaleEnds(question)
      const end = Number(value) === min ? say(low) : Number(value) === max ? say(high) : undefined
      return end?.text ? t('results.end', { step: value, words: end.text }) : value
    }
    case 'yes_no':
      return value === 'no' ? t('choice.no') : t('choice.yes')
    case 'consent':
      return t('choice.agreed')
    case 'date':
      return format.month(`${value}-15T12:00:00Z`)
    case 'time':
      return `${value.slice(0, -1)}:00`
    case 'address':
      return value.replace(/^area:/, '')
    case 'place': {
      const [lng, lat] = findSquareCentre(value) ?? []
      return t('results.square', { lat: format.number(lat ?? 0), lng: format.number(lng ?? 0) })
    }
    case 'number':
    case 'slider': {
      const [from, to] = value.split('..')
      const formatNumber = (text = '') => format.number(Number(text))
      return to === undefined ? formatNumber(from) : t('results.range', { from: formatNumber(from), to: formatNumber(to) })
    }
    default: {
      const option = 'options' in question ? findOption(question, value) : undefined
      const label = option ? say(option.label).text : value
      return question.removedOptions?.includes(value) ? t('results.removed-option', { option: label }) : label
    }
  }
}
