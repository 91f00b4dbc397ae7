import type { LinkableQuestion } from '#app/features/profile-answers/profile-answers.schema.ts'
import type { Question } from '../surveys.schema.ts'
import { STANDARD_QUESTIONS } from './standard-questions.ts'

/** A survey's question that asks what people are asked about themselves. Instead of the year of birth it asks for the age group. */
export function buildLinkedQuestion({ key, kind, title, options }: LinkableQuestion): Question {
  const common = { id: key, profile: key, title }
  switch (kind) {
    case 'one-choice':
      return { ...common, type: 'one_choice', options }
    case 'several-choices':
      return { ...common, type: 'several_choices', options }
    case 'area':
      return { ...common, type: 'dropdown', options }
    case 'year-of-birth':
      return { ...buildAgeQuestion(), id: key, profile: key }
    case 'postcode':
    case 'short-text':
      return { ...common, type: 'short_text' }
  }
}

function buildAgeQuestion(): Question {
  const question = STANDARD_QUESTIONS.find(({ id }) => id === 'std-age')
  if (!question) throw new Error('The standard questions have none about age')
  return question
}
