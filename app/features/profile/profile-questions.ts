import { NO_ANSWER } from '#app/features/profile-answers/profile-answers.schema.ts'
import { OLDEST_AGE } from '#app/lib/age-groups.ts'
import { sayEverywhere, type Translated } from '#app/lib/translated.ts'
import type { ProfileQuestionType } from '#app/lib/vocabulary/profile.ts'
import type { Question } from '#app/features/surveys/surveys.schema.ts'
import type { ProfileOption } from './profile.schema.ts'

interface QuestionBasis {
  key: string
  type: ProfileQuestionType
  label: Translated
  options: readonly ProfileOption[]
  required: boolean
}

/** How a question about people is put with the questionnaire: its type, and what its answers must keep to. */
export function toQuestion(
  { key, type, label, options, required }: QuestionBasis,
  areas: readonly { slug: string; name: string }[],
  help: Translated = {},
): Question {
  const common = { id: key, title: label, help, ...(required && { required }) }
  const offered = options.map((option) => ({
    id: option.id,
    label: option.label,
    ...(option.retired && { removed: true as const }),
    ...(option.id === NO_ANSWER && { exclusive: true as const }),
  }))
  switch (type) {
    case 'one-choice':
      return { ...common, type: 'one_choice', options: offered }
    case 'several-choices':
      return { ...common, type: 'several_choices', options: offered }
    case 'year-of-birth':
      return { ...common, type: 'number' }
    case 'area':
      return { ...common, type: 'dropdown', options: areas.map(({ slug, name }) => ({ id: slug, label: sayEverywhere(name) })) }
    case 'postcode':
    case 'short-text':
      return { ...common, type: 'short_text' }
  }
}

/** The same with the limits of an answer that people are not told before they pass one. */
export function withLimits(question: Question, type: ProfileQuestionType, now: Date): Question {
  if (question.type === 'number') return { ...question, min: now.getUTCFullYear() - OLDEST_AGE, max: now.getUTCFullYear() }
  if (question.type === 'short_text') return { ...question, maxLength: type === 'postcode' ? 10 : 200 }
  return question
}
