import type { TFunction } from 'i18next'
import type { Language } from '#app/lib/languages.ts'
import { inLanguage } from '#app/lib/translated.ts'
import { optionOf } from './surveys.answers.ts'
import type { Answer, Question } from './surveys.schema.ts'

/** A given answer in words: a list of what was chosen, or what was written. Empty where there is none. */
export function answerWords(t: TFunction<'survey'>, language: Language, question: Question, answer: Answer | undefined): string[] {
  if (answer === undefined) return []
  if (typeof answer === 'string') return [answer]
  if (typeof answer === 'number') {
    return [question.type === 'rating' ? t('receipt.rating', { value: answer, max: question.scale.max }) : String(answer)]
  }
  const label = (id: string) => {
    const option = 'options' in question ? optionOf(question, id) : undefined
    const words = option ? inLanguage(option.label, language) : id
    return option?.other && answer.other ? `${words}: ${answer.other}` : words
  }
  return ('choice' in answer ? [answer.choice] : answer.choices).map(label)
}
